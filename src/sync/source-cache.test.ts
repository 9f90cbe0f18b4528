import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openArchive } from '#transfer/archive.ts';
import { readSources } from '#transfer/markdown/sources.ts';
import { ownFolder } from '../../tests/support/folder.ts';
import { createSourceCache } from './source-cache.ts';

afterEach(() => vi.useRealTimers());

it('reads a file again that was saved just before it was read, and no other', async () => {
  const directory = ownFolder();
  const file = join(directory, 'ink.md');
  await writeFile(file, 'Of ink.');
  const savedAt = (await stat(file)).ctimeMs;
  vi.useFakeTimers({ toFake: ['Date'], now: savedAt });
  const cache = createSourceCache(directory);
  const run = async () => {
    const archive = await openArchive(directory);
    const known: boolean[] = [];
    const { sources } = await readSources(archive, undefined, (path) => {
      const source = cache.known(path);
      known.push(source !== undefined);
      return source;
    });
    cache.remember(sources);
    return known;
  };
  expect([await run(), await run()]).toEqual([[false], [false]]);
  vi.useFakeTimers({ toFake: ['Date'], now: savedAt + 10_000 });
  expect([await run(), await run()]).toEqual([[false], [true]]);
  await writeFile(file, 'On ink.');
  expect(await run()).toEqual([false]);
});
