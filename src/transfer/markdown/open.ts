/** Markdown in a folder or in a zip file, which is unpacked aside while it is read. */

import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '#blog/errors.ts';
import { openArchive } from '../archive.ts';
import type { Collection } from '../document.ts';
import type { Format } from '../format.ts';
import { openMarkdown } from './import.ts';

export const markdown: Format = {
  matches: async ({ isFolder, names }) =>
    (isFolder || names.length > 1) && names.some((name) => /\.(?:md|mdx|markdown|mdown)$/i.test(name)),
  async open({ path, oldSite, longestMs, temporary = tmpdir() }) {
    const archive = await openArchive(path);
    if (archive.isFolder) return openMarkdown({ folder: path, oldSite, longestMs });
    const folder = await mkdtemp(join(temporary, 'common-ink-import-'));
    const drop = () => rm(folder, { recursive: true, force: true });
    try {
      if (archive.names.length === 1)
        throw new OperatorError(
          `${path} is neither a folder nor a zip file. Name the folder that holds the Markdown files.`,
        );
      for (const name of archive.names) {
        const file = join(folder, name);
        await mkdir(dirname(file), { recursive: true });
        await pipeline(Readable.from(archive.stream(name)), createWriteStream(file));
      }
      const below = join(folder, onlyFolderOf(archive.names));
      const collection: Collection = await openMarkdown({ folder: below, oldSite, longestMs });
      return { ...collection, close: drop };
    } catch (error) {
      await drop();
      throw error;
    } finally {
      await archive.close();
    }
  },
};

/** The folder that holds everything, where a folder was zipped as a whole. */
function onlyFolderOf([first = '', ...names]: readonly string[]): string {
  const folder = first.slice(0, first.indexOf('/') + 1);
  return names.every((name) => name.startsWith(folder)) ? folder : '';
}
