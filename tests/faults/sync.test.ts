/** Tests `npm run sync` on a running site: changed files and posts while it watches, and runs ended by kill -9. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RunningSite } from '../e2e/site.ts';
import { ownFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';
import { createRandom } from './random.ts';
import { settings } from './settings.ts';
import { SCRIPTS, started, textAt } from './tools.ts';

function folder(): string {
  const directory = ownFolder();
  mkdirSync(join(directory, 'posts'));
  return directory;
}

const put = (directory: string, name: string, text: string) => writeFile(join(directory, 'posts', `${name}.md`), text);
const read = (directory: string, name: string) => readFile(join(directory, 'posts', `${name}.md`), 'utf8');
const note = (title: string, words: string) => `---\ntitle: ${title}\n---\n\n${words}\n`;

function startSync(site: RunningSite, directory: string, ...options: string[]) {
  const env = { ...process.env, ...site.environment };
  const sync = startProgram(process.execPath, [join(SCRIPTS, 'sync.ts'), directory, ...options], { env });
  onTestFinished(() => void sync.child.kill('SIGKILL'));
  return sync;
}

test('a saved file and a published post reach the other side while the command watches', async () => {
  const [site, directory] = [await started(), folder()];
  const writer = await site.writer();
  await put(directory, 'first', note('First', 'Written in a file.'));
  const sync = startSync(site, directory, '--watch', '--author', writer.email);
  await Promise.race([sync.until(/Watching/), sync.ended.then(() => Promise.reject(new Error(sync.said())))]);
  expect(await textAt(`${site.url}/post/first`)).toContain('Written in a file.');

  // Saves as vim does: renames the old file, then at once creates a new file with its name.
  renameSync(join(directory, 'posts/first.md'), join(directory, 'posts/first.md~'));
  writeFileSync(join(directory, 'posts/first.md'), note('First', 'Saved by an editor.'));
  await expect.poll(() => textAt(`${site.url}/post/first`)).toContain('Saved by an editor.');

  await site.publishText(writer, 'Second', 'second');
  await expect.poll(() => read(directory, 'second').catch(() => '')).toContain('title: Second');
  await site.update('first', { content: '<p>Saved by a browser.</p>' });
  await expect.poll(() => read(directory, 'first')).toBe(note('First', 'Saved by a browser.'));
  sync.child.kill('SIGINT');
  expect(await sync.ended).toBe(0);
});

test('a request with the operator’s token syncs the folder of the server', async () => {
  const directory = folder();
  const token = 'token-of-the-operator';
  const site = await started({ environment: { SYNC_DIR: directory, REBUILD_TOKEN: token } });
  await site.writer();
  await put(directory, 'pushed', note('Pushed', 'Pushed by git.'));
  const ask = async (given: string) => {
    const headers = { authorization: `Bearer ${given}` };
    const response = await fetch(`${site.url}/api/sync`, { method: 'POST', headers });
    return { status: response.status, ...((await response.json()) as { readonly output?: string }) };
  };
  expect((await ask('another-token-here')).status).toBe(401);
  expect(await ask(token)).toEqual({ status: 200, output: 'post created     posts/pushed.md' });
  expect(await textAt(`${site.url}/post/pushed`)).toContain('Pushed by git.');
  await site.update('pushed', { content: '<p>Changed in the blog.</p>' });
  await put(directory, 'pushed', note('Pushed', 'Changed in git.'));
  const output = expect.stringMatching(
    /^conflict {9}posts\/pushed\.md\n +file and post were changed in the same place/,
  );
  expect(await ask(token)).toMatchObject({ status: 409, output });
});

test('posts unpublished by a sync while the site is stopped are on no page once the site has started', async () => {
  const [site, directory] = [await started(), folder()];
  const writer = await site.writer();
  const sync = async () => expect(await startSync(site, directory, '--author', writer.email).ended).toBe(0);
  for (const name of ['stays', 'read']) await put(directory, name, note(`${name} here`, 'Some words.'));
  // Readers see this post's title on a tag's page, but do not open the post.
  await put(directory, 'listed', '---\ntitle: listed here\ntags: [Alone]\n---\n\nSome words.\n');
  await site.stop();
  await sync();
  await site.start();
  const pages = ['/', '/post/stays', '/post/read'];
  for (const path of pages) await expect.poll(() => site.text(path)).toContain('read here');
  expect(await site.text('/tag/alone')).toContain('listed here');
  await site.stop();
  for (const name of ['read', 'listed']) await rm(join(directory, `posts/${name}.md`));
  await sync();
  await site.start();
  for (const path of ['/post/read', '/tag/alone']) expect(await site.status(path)).toBe(404);
  for (const path of pages) expect(await site.text(path)).not.toMatch(/(?:read|listed) here/);
});

test(`both sides are equal after ${settings.rounds} kills on the way`, async () => {
  const [site, directory] = [await started(), folder()];
  const writer = await site.writer();
  const random = createRandom(settings.seed);
  const names = Array.from({ length: 12 }, (_, n) => `note-${n}`);
  for (const name of names) await put(directory, name, note(name, `${name} as written.`));
  for (let kill = 0; kill < settings.rounds; kill++) {
    const sync = startSync(site, directory, '--author', writer.email);
    await wait(random.integer(300, 2500));
    sync.child.kill('SIGKILL');
    await sync.ended;
    const name = `note-${random.integer(0, names.length - 1)}`;
    const text = await read(directory, name);
    await put(directory, name, `${text}\nAdded ${kill}.\n`);
  }
  expect(await startSync(site, directory, '--author', writer.email).ended).toBe(0);
  for (const name of names) {
    // Polls, because the previous page is served until the new one is stored.
    for (const [words] of (await read(directory, name)).matchAll(/(?:\S+ as written|Added \d+)\./g))
      await expect.poll(() => textAt(`${site.url}/post/${name}`)).toContain(words);
  }
  const again = startSync(site, directory);
  expect([await again.ended, again.said()]).toEqual([0, '']);
});
