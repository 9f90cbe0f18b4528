/** Reproduces the file operations with which editors and cloud services save, while the folder is watched. */
import { appendFile, copyFile, mkdir, open, readdir, rename, rm, symlink, truncate } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openSyncedFolder } from '../../tests/support/synced-folder.ts';
import { createSourceCache } from './source-cache.ts';
import { watchFolder } from './watch-folder.ts';

const folder = await openSyncedFolder();
const { put, at, post, read } = folder;

const note = (words: string) => `---\ntitle: Ink\n---\n\n${words}\n`;
const [BEFORE, AFTER] = [note('Of ink.'), note('Of ink, saved.')];

/** `done` lists the actions of the syncs and the messages of the watch, `seen` the post's content after each sync. */
let done: string[];
let seen: Set<string>;
beforeEach(async () => {
  await folder.empty();
  await put('ink.md', BEFORE);
  await put('other.md', '---\ntitle: Other\n---\n\nSee [ink](ink.md).\n');
  const cache = createSourceCache(folder.directory);
  await folder.run({ cache });
  [done, seen] = [[], new Set()];
  const ended = new AbortController();
  const watching = watchFolder({
    directory: folder.directory,
    signal: ended.signal,
    async sync() {
      for (const { path, action } of await folder.run({ cache, boundsNew: true })) done.push(`${action} ${path}`);
      seen.add((await post('ink')).content);
    },
    hasChanged: async () => false,
    listen: () => () => undefined,
    report: (message) => done.push(message),
  });
  onTestFinished(() => {
    ended.abort();
    return watching;
  });
  await expect.poll(() => seen.size).toBe(1);
});
/** Runs `save` with fake timers, so that the watch sees only the pauses that `pause` makes, even on a busy machine. */
async function inOwnTime(save: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    await save();
    vi.runOnlyPendingTimers();
  } finally {
    vi.useRealTimers();
  }
}
async function pause(milliseconds: number): Promise<void> {
  await wait(milliseconds);
  await vi.advanceTimersByTimeAsync(milliseconds);
}
/** Advances the time until a sync has run and skipped the file. */
const aWhile = () =>
  expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(800);
      return done;
    })
    .toContain('skipped ink.md');

const SAVES: Record<string, () => Promise<void>> = {
  async vim() {
    await put('.ink.md.swp', 'swap');
    await put('4913', '');
    await rm(at('4913'));
    await rename(at('ink.md'), at('ink.md~'));
    await put('ink.md', AFTER);
    await rm(at('ink.md~'));
    await rm(at('.ink.md.swp'));
  },
  async 'vim with backupcopy=yes'() {
    await copyFile(at('ink.md'), at('ink.md~'));
    await truncate(at('ink.md'));
    await appendFile(at('ink.md'), AFTER);
    await rm(at('ink.md~'));
  },
  async 'vim, pausing between the rename and the new file'() {
    await rename(at('ink.md'), at('ink.md~'));
    await pause(150);
    await put('ink.md', AFTER);
  },
  async 'VS Code'() {
    const file = await open(at('ink.md'), 'r+');
    await file.truncate();
    await file.write(AFTER);
    await file.close();
  },
  async 'VS Code, atomically'() {
    await put('ink.md.vsctmp', AFTER);
    await rename(at('ink.md.vsctmp'), at('ink.md'));
  },
  async 'Obsidian, with its own files'() {
    await put('.obsidian/workspace.json', '{}');
    await put('ink.md', AFTER.slice(0, -8));
    await put('.obsidian/workspace.json', '{"a":1}');
    await pause(100);
    await put('ink.md', AFTER);
  },
  async 'iCloud, evicting and downloading'() {
    await rename(at('ink.md'), at('.ink.md.icloud'));
    await aWhile();
    await put('ink.md', AFTER);
    await rm(at('.ink.md.icloud'));
  },
  async Dropbox() {
    await put('.~ink.md', AFTER);
    await rename(at('.~ink.md'), at('ink.md'));
  },
  async Syncthing() {
    await put('.syncthing.ink.md.tmp', AFTER.slice(0, 20));
    await appendFile(at('.syncthing.ink.md.tmp'), AFTER.slice(20));
    await rename(at('.syncthing.ink.md.tmp'), at('ink.md'));
  },
  async emacs() {
    await symlink('ann@host.1234:1700000000', at('.#ink.md'));
    await put('#ink.md#', AFTER.slice(0, 30));
    await rename(at('ink.md'), at('ink.md~'));
    await put('ink.md', AFTER);
    await rm(at('#ink.md#'));
    await rm(at('.#ink.md'));
  },
  async 'sed -i'() {
    await put('sedAb12Cd', AFTER);
    await rename(at('sedAb12Cd'), at('ink.md'));
  },
  async 'git checkout'() {
    await rm(at('ink.md'));
    await put('ink.md', AFTER);
  },
  async rsync() {
    await put('.ink.md.Xy12ab', AFTER);
    await rename(at('.ink.md.Xy12ab'), at('ink.md'));
  },
  async 'a program that saves in pieces'() {
    await put('ink.md', AFTER.slice(0, -8));
    await pause(150);
    await appendFile(at('ink.md'), AFTER.slice(-8));
  },
  async 'a program that empties the file long before'() {
    await truncate(at('ink.md'));
    await aWhile();
    await appendFile(at('ink.md'), AFTER);
  },
};

it.each(Object.entries(SAVES))('takes what %s saves for one change of one post', async (_, save) => {
  await inOwnTime(save);
  await expect.poll(async () => (await post('ink')).content).toBe('<p>Of ink, saved.</p>');
  await expect.poll(() => done).toContain('post updated ink.md');
  expect(done.filter((each) => each !== 'skipped ink.md')).toEqual(['post updated ink.md']);
  expect([...seen].filter((each) => each !== '<p>Of ink.</p>' && each !== '<p>Of ink, saved.</p>')).toEqual([]);
  expect([...(await folder.whole.slugs())].sort()).toEqual(['ink', 'other']);
  expect((await post('ink')).status).toBe('active');
  expect(await read('ink.md')).toBe(AFTER);
});

it('follows a note that Obsidian moves together with the links to it', async () => {
  await inOwnTime(async () => {
    await mkdir(at('notes'));
    await rename(at('ink.md'), at('notes/ink.md'));
    await put('other.md', '---\ntitle: Other\n---\n\nSee [ink](notes/ink.md), moved.\n');
  });
  await expect.poll(async () => (await post('other')).content).toBe('<p>See <a href="/post/ink">ink</a>, moved.</p>');
  expect(done.filter((each) => !each.startsWith('post updated'))).toEqual([]);
  expect((await post('ink')).status).toBe('active');
});

it.each(['ink 2.md', 'ink (Ann’s conflicted copy 2026-11-28).md', 'ink.sync-conflict-20261128-101010-ABCDEFG.md'])(
  'publishes the file, and not the copy %s that comes with it',
  async (copy) => {
    await put(copy, note('Of ink, elsewhere.'));
    await put('ink.md', AFTER);
    await expect.poll(async () => (await post('ink')).content).toBe('<p>Of ink, saved.</p>');
    expect([...(await folder.whole.slugs())].sort()).toEqual(['ink', 'other']);
    await expect.poll(() => done).toContain(`skipped ${copy}`);
    expect(await readdir(folder.directory)).toContain(copy);
  },
);
