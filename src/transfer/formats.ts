/** The formats by their names on the command line, in the order in which a path is tried. */

import { openArchive } from './archive.ts';
import { blogger } from './blogger/blogger.ts';
import { devto } from './devto/devto.ts';
import { type Collection, TransferError } from './document.ts';
import { feed } from './feed/feed.ts';
import type { Format, OpenOptions } from './format.ts';
import { ghost } from './ghost/ghost.ts';
import { hashnode } from './hashnode/hashnode.ts';
import { markdown } from './markdown/open.ts';
import { medium } from './medium/medium.ts';
import { substack } from './substack/substack.ts';
import { wordpress } from './wordpress/wordpress.ts';

export const FORMATS: Readonly<Record<string, Format>> = {
  wordpress,
  blogger,
  substack,
  medium,
  hashnode,
  devto,
  ghost,
  feed,
  markdown,
};

/** The format of what lies at `path`. @throws TransferError where it cannot be told. */
export async function formatOf(path: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    for (const [name, format] of Object.entries(FORMATS)) if (await format.matches(archive)) return name;
  } finally {
    await archive.close();
  }
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
