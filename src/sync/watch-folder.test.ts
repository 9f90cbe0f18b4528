import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ownFolder } from '../../tests/support/folder.ts';
import { watchFolder } from './watch-folder.ts';

let above: string;
let directory: string;
beforeEach(async () => {
  above = ownFolder();
  directory = join(above, 'notes');
  await makeFolder();
});
const makeFolder = () => mkdir(join(directory, '.common-ink'), { recursive: true });
const save = (name: string, text = 'Text.') => writeFile(join(directory, name), text);

/** Watches the folder with a fake sync, which counts its runs and fails while `fault` is set. */
function startWatch(already?: AbortSignal) {
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    return watching;
  };
  const state = {
    runs: 0,
    said: [] as string[],
    fault: '',
    during: async (_isConsistent: () => boolean) => {},
    hasChanged: async () => false,
    end,
  };
  const watching = watchFolder({
    directory,
    signal: already ?? ended.signal,
    sync: async (isConsistent) => {
      state.runs++;
      await state.during(isConsistent);
      if (state.fault) throw new Error(state.fault);
    },
    hasChanged: () => state.hasChanged(),
    listen: () => () => undefined,
    report: (message) => state.said.push(message),
  });
  onTestFinished(end);
  return state;
}

it('repeats a run that failed until one succeeds, and says so once', async () => {
  const state = startWatch();
  state.fault = 'The blog does not answer.';
  await expect.poll(() => state.runs).toBeGreaterThan(2);
  expect(state.said).toEqual(['The blog does not answer.']);
  state.fault = '';
  await expect.poll(() => state.said).toEqual(['The blog does not answer.', 'The sync works again.']);
});

it('runs once more for a file that is saved during a run', async () => {
  const state = startWatch();
  state.during = async () => {
    state.during = async () => {};
    await save('ink.md');
    await wait(100);
  };
  await expect.poll(() => state.runs).toBe(2);
});

it('waits while the folder is gone, and watches the one that takes its place', async () => {
  const state = startWatch();
  await expect.poll(() => state.runs).toBe(1);
  await rename(directory, `${directory}-away`);
  await expect.poll(() => state.said).toEqual([`There is no folder at ${directory}.`]);
  // Creates an empty folder, like the mount point of a disk that is not mounted.
  await mkdir(directory);
  await expect.poll(() => state.said[1]).toContain('has lost its .common-ink: is the disk mounted?');
  expect(state.runs).toBe(1);
  await makeFolder();
  await expect.poll(() => state.said[2]).toBe('The sync works again.');
  await save('ink.md');
  await expect.poll(() => state.runs).toBe(3);
});

it('does not run for hidden files, and runs for all others', async () => {
  for (const name of ['.obsidian', '.git', 'node_modules/it', 'posts'])
    await mkdir(join(directory, name), { recursive: true });
  const state = startWatch();
  await expect.poll(() => state.runs).toBe(1);
  // Changes ignored files for two seconds, because even continuous changes delay a run by only 1.5 seconds.
  for (let n = 0; n < 20; n++) {
    for (const name of ['.obsidian/workspace.json', '.git/index', 'node_modules/it/a.md', '.ink.md.swp', '.#ink.md'])
      await save(name, `${n}`);
    await wait(100);
  }
  expect(state.runs).toBe(1);
  await mkdir(join(directory, 'new/below'), { recursive: true });
  await save('new/below/ink.md');
  await expect.poll(() => state.runs).toBe(2);
});

it('waits until git has switched the branch', async () => {
  await mkdir(join(above, '.git'));
  const state = startWatch();
  await expect.poll(() => state.runs).toBe(1);
  const lock = join(above, '.git/index.lock');
  await writeFile(lock, '');
  for (let n = 0; n < 20; n++) {
    await save(`note-${n}.md`);
    await wait(100);
  }
  expect(state.runs).toBe(1);
  await rm(lock);
  await expect.poll(() => state.runs).toBe(2);
});

it('gives up a run without a word if files change while it reads them', async () => {
  await mkdir(join(above, '.git'));
  const lock = join(above, '.git/index.lock');
  const state = startWatch();
  await expect.poll(() => state.runs).toBeGreaterThan(0);
  for (const change of [() => writeFile(lock, ''), () => save('of-the-other-branch.md')]) {
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
    state.during = async (isConsistent) => {
      state.during = async () => {};
      await change();
      await expect.poll(isConsistent).toBe(false);
      giveUp();
      throw new Error('The folder has changed.');
    };
    await save('ink.md');
    await givenUp;
    const { runs } = state;
    await rm(lock, { force: true });
    await expect.poll(() => state.runs).toBeGreaterThan(runs);
  }
  expect(state.said).toEqual([]);
});

it('does not give up every run in a folder that changes all the time', async () => {
  const state = startWatch();
  let finished = 0;
  state.during = async (isConsistent) => {
    await save('ink.md', `${state.runs}`);
    await wait(100);
    if (!isConsistent()) throw new Error('The folder has changed.');
    finished++;
  };
  await expect.poll(() => finished).toBeGreaterThan(1);
  expect(state.said).toEqual([]);
});

it('ends at once if it was told to before it began', async () => {
  const state = startWatch(AbortSignal.abort());
  await state.end();
  expect(state.runs).toBe(0);
});

it('leaves nothing to do when it ends while the blog is asked for changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const state = startWatch();
  const { promise: answer, resolve } = Promise.withResolvers<boolean>();
  const asked = vi.fn(() => answer);
  state.hasChanged = asked;
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(1);
  await state.end();
  resolve(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});
