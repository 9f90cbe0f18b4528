import { spawnSync } from 'node:child_process';
import { freePort } from '@common-ink/http/free-port.ts';
import { expect, ownSite, test } from './site.ts';

const TOKEN = 'token-of-the-operator';

function pages(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/pages.ts', ...args], { env });
  return { code: status, said: `${stdout}${stderr}` };
}

test('`npm run pages` explains a stored page, or why it cannot @embedded', async () => {
  await using site = await ownSite({ environment: { REBUILD_TOKEN: TOKEN } });
  const writer = await site.writer();
  const { id } = await site.post(writer);
  const environment = { PORT: new URL(site.url).port, REBUILD_TOKEN: TOKEN };
  await fetch(`${site.url}/post/${id}`);
  const { code, said } = pages(environment, `/POST/${id}/`);
  expect(code).toBe(0);
  for (const line of [
    `path: /post/${id}`,
    'state: current',
    `reason: backend: post:${id}`,
    'hits: 1',
    `  post:${id}: a change of the post ${id}`,
    `  author:${writer.id}: a change of the author ${writer.id}`,
    '  site: a rebuild of all pages',
  ])
    expect(said.split('\n')).toContain(line);
  const wrong: [NodeJS.ProcessEnv, string[], string | RegExp][] = [
    [{}, ['/post/none'], '/post/none is not stored. It is rendered when somebody asks for it.'],
    [{}, ['post/x'], 'Usage: npm run pages -- /post/x'],
    [{ REBUILD_TOKEN: 'another-token-of-it' }, ['/'], /^The server has a different REBUILD_TOKEN than this command\./],
    [{ PORT: `${await freePort()}` }, ['/'], /^No server answers at http:\/\/127\.0\.0\.1:\d+\. Start it/],
  ];
  for (const [more, args, sentence] of wrong) {
    const answer = pages({ ...environment, ...more }, ...args);
    expect(answer.code, answer.said).toBe(1);
    expect(answer.said.trim()).toMatch(sentence);
  }
});
