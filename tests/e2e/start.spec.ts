import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, ownSite, removeSite, test } from './site.ts';

async function startAndEnd(environment: NodeJS.ProcessEnv): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: { ...process.env, LOG_FORMAT: 'text', ...environment },
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'exit');
  return { code, said };
}

const folder = mkdtempSync(join(tmpdir(), 'common-ink-start-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a taken port ends the start with a sentence that says what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, said } = await startAndEnd({ PORT: `${port}`, DATA_DIR: join(folder, 'taken') });
  taken.close();
  expect(code).toBe(1);
  expect(said.trim()).toBe(
    `Port ${port} on 127.0.0.1 is taken. Stop the program that uses it, or set PORT to a free one.`,
  );
});

test('a data folder that cannot be written ends the start with a sentence', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const { code, said } = await startAndEnd({ PORT: '4399', DATA_DIR: join(file, 'data') });
  expect(code).toBe(1);
  expect(said.trim()).toMatch(
    /^The data folder cannot be written \(.*\)\. Set DATA_DIR to a folder this user may write\.$/,
  );
});

test('the server key is kept, readable by its owner alone; a stop is clean', async () => {
  const site = await ownSite();
  expect(statSync(join(site.dataDirectory, 'server-key')).mode & 0o777).toBe(0o600);
  await site.stop('SIGINT');
  await site.start();
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  await removeSite(site);
});
