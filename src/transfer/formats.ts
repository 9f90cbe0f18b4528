/** The formats by their names on the command line, and how each is told by its content. */

import { stat } from 'node:fs/promises';
import type { Allowed } from '#backend/remote-pictures/reachable.ts';
import { type Collection, TransferError } from './document.ts';
import { openMarkdown } from './markdown/import.ts';

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
  markdown: {
    matches: async (_, isFolder) => isFolder,
    open: ({ path, oldSite }) => openMarkdown({ folder: path, oldSite }),
  },
};

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
