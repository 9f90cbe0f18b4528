/** Tests `npm run sync -- --watch` while the blog does not respond, and while git switches branches. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import type { RunningSite } from '../e2e/site.ts';
import { ownFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';
import { SCRIPTS, started, textAt } from './tools.ts';

const note = (title: string, words: string) => `---\ntitle: ${title}\n---\n\n${words}\n`;

function openFolder() {
  const directory = ownFolder();
  return {
    directory,
    put: (name: string, text: string) => writeFile(join(directory, `${name}.md`), text),
    read: (name: string) => readFile(join(directory, `${name}.md`), 'utf8'),
    git: (...args: string[]) =>
      execFileSync('git', ['-C', directory, '-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', ...args], {
        encoding: 'utf8',
      }),
  };
}

/** Starts `sync --watch` and waits until it reports that it is watching. */
async function startWatch(site: RunningSite, directory: string, ...options: string[]) {
  const env = { ...process.env, ...site.environment };
  const args = [join(SCRIPTS, 'sync.ts'), directory, '--watch', ...options];
  const { child, ended, said, until } = startProgram(process.execPath, args, { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  onTestFailed(() => console.log(said()));
  await Promise.race([until(/Watching/), ended.then(() => Promise.reject(new Error(said())))]);
  const end = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { end, said, count: (words: string) => said().split(words).length - 1 };
}

test('what is saved while the blog does not answer is synced once it does, and said once', async () => {
  const [site, { directory, put, read }] = [await started(), openFolder()];
  const writer = await site.writer();
  for (const name of ['ink', 'paper']) await put(name, note(name, 'As written.'));
  const watch = await startWatch(site, directory, '--author', writer.email);
  await site.stop();
  await put('ink', note('ink', 'Saved without a network.'));
  await expect.poll(watch.said).toContain('The blog does not answer');
  await put('pen', note('pen', 'New without a network.'));
  // Leaves time for several sync runs to fail.
  await wait(8000);
  await site.start();
  await expect.poll(() => textAt(`${site.url}/post/ink`)).toContain('Saved without a network.');
  await expect.poll(() => textAt(`${site.url}/post/pen`)).toContain('New without a network.');
  await expect.poll(watch.said).toContain('The sync works again.');
  expect(watch.count('The blog does not answer')).toBe(1);
  expect(watch.said()).not.toMatch(/Realtime|WebSocket|reconnect/i);
  await site.update('paper', { content: '<p>Changed in the browser.</p>' });
  await expect.poll(() => read('paper')).toContain('Changed in the browser.');
});

/** More changed files than a run syncs without `--yes`. */
const NOTES = 150;

test('a branch with hundreds of other files is told and refused, and synced with --yes', async () => {
  const [site, { directory, put, git }] = [await started(), openFolder()];
  const writer = await site.writer();
  await put('ink', note('ink', 'As written.'));
  git('init', '--quiet', '--initial-branch', 'main');
  await writeFile(join(directory, '.gitignore'), '.common-ink\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Write');
  git('switch', '--quiet', '--create', 'other');
  for (let n = 0; n < NOTES; n++) await put(`note-${n}`, note(`Note ${n}`, 'On another branch.'));
  git('add', '.');
  git('commit', '--quiet', '--message', 'Write many');
  git('switch', '--quiet', 'main');
  const watch = await startWatch(site, directory, '--author', writer.email);
  git('switch', '--quiet', 'other');
  await expect.poll(watch.said).toContain('150 of 151 files have changed since the last run. Add --yes to sync them.');
  expect(await site.status('/post/note-0')).toBe(404);
  git('switch', '--quiet', 'main');
  await put('ink', note('ink', 'Back on the first branch.'));
  await expect.poll(() => textAt(`${site.url}/post/ink`)).toContain('Back on the first branch.');
  expect(watch.said()).not.toContain('note-');
  expect(watch.count('Add --yes')).toBe(1);
  expect(await watch.end()).toBe(0);

  git('switch', '--quiet', 'other', '--merge');
  const sure = await startWatch(site, directory, '--author', writer.email, '--yes');
  expect(sure.count('post created')).toBe(NOTES);
  expect(await textAt(`${site.url}/post/note-149`)).toContain('On another branch.');
});
