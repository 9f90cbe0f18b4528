/** The formats by their names on the command line, and how each is told by its content. */

import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import { type Collection, TransferError } from './document.ts';
import { openGhost } from './ghost/ghost.ts';
import { openMarkdown } from './markdown/import.ts';
import { openWordPress } from './wordpress/wordpress.ts';

export interface OpenOptions {
  readonly path: string;
  /** The old site's address without a trailing slash. */
  readonly oldSite?: string | undefined;
  /** A folder that holds the old site's files. */
  readonly media?: string | undefined;
  /** What may be fetched from the old site, beside the public internet; undefined: nothing is. */
  readonly fetch?: Allowed | undefined;
}

interface Format {
  /** Whether the file or folder is one of this format. */
  matches(path: string, isFolder: boolean): Promise<boolean>;
  /** @throws TransferError when the source cannot be read at all. */
  open(options: OpenOptions): Promise<Collection>;
}

/** In the order in which a path is tried. */
export const FORMATS: Readonly<Record<string, Format>> = {
  wordpress: {
    async matches(path, isFolder) {
      const files = isFolder
        ? (await readdir(path)).filter((name) => /\.(?:xml|wxr)$/i.test(name)).map((name) => join(path, name))
        : [path];
      return files[0] !== undefined && /wordpress\.org\/export\/|<wp:wxr_version/.test(await headOf(files[0]));
    },
    open: openWordPress,
  },
  ghost: {
    matches: async (path, isFolder) =>
      !isFolder && /^\s*\{[\s\S]*"(?:db|exported_on|posts)"\s*:/.test(await headOf(path)),
    open: openGhost,
  },
  markdown: {
    matches: async (_, isFolder) => isFolder,
    open: ({ path, oldSite }) => openMarkdown({ folder: path, oldSite }),
  },
};

const HEAD_BYTES = 16_384;

/** The beginning of a file as text. */
async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await handle.close();
  }
}

/** The format of what lies at `path`. @throws TransferError where it cannot be told. */
export async function formatOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new TransferError(`There is nothing at ${path}.`);
  for (const [name, format] of Object.entries(FORMATS))
    if (await format.matches(path, found.isDirectory())) return name;
  throw new TransferError(
    `The format of ${path} cannot be told from its content. Name it: ${Object.keys(FORMATS).join(', ')}.`,
  );
}

/** @throws TransferError in a sentence. */
export function openCollection(name: string, options: OpenOptions): Promise<Collection> {
  const format = FORMATS[name];
  if (!format)
    throw new TransferError(`There is no format "${name}". These are known: ${Object.keys(FORMATS).join(', ')}.`);
  return format.open(options);
}
