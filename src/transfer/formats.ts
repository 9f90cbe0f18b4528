/** Formats by command-line name, in the order of detection. Each loads on demand, because parsers take memory. */

import { OperatorError } from '#blog/errors.ts';
import { openArchive } from './archive.ts';
import type { Collection } from './document.ts';
import type { Format, OpenOptions } from './format.ts';

export const FORMATS: Readonly<Record<string, () => Promise<Format>>> = {
  wordpress: async () => (await import('./wordpress/wordpress.ts')).wordpress,
  blogger: async () => (await import('./blogger/blogger.ts')).blogger,
  substack: async () => (await import('./substack/substack.ts')).substack,
  medium: async () => (await import('./medium/medium.ts')).medium,
  hashnode: async () => (await import('./hashnode/hashnode.ts')).hashnode,
  devto: async () => (await import('./devto/devto.ts')).devto,
  ghost: async () => (await import('./ghost/ghost.ts')).ghost,
  feed: async () => (await import('./feed/feed.ts')).feed,
  markdown: async () => (await import('./markdown/import.ts')).markdown,
};

/** Detects the format from the content. @throws OperatorError if none matches */
export async function formatOf(path: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    for (const [name, load] of Object.entries(FORMATS)) if (await (await load()).matches(archive)) return name;
  } finally {
    await archive.close();
  }
  throw new OperatorError(`Could not detect the format of ${path}. Name one of: ${Object.keys(FORMATS).join(', ')}.`);
}

/** Opens an export in the named format. @throws OperatorError for an unknown name or an unreadable export */
export async function openCollection(
  name: string,
  { path, ...options }: OpenOptions & { readonly path: string },
): Promise<Collection> {
  const load = FORMATS[name];
  if (!load) throw new OperatorError(`Unknown format “${name}”. Name one of: ${Object.keys(FORMATS).join(', ')}.`);
  const { open } = await load();
  const archive = await openArchive(path);
  try {
    return { ...(await open(archive, options)), repairs: archive.repairs, close: archive.close };
  } catch (error) {
    await archive.close();
    throw error;
  }
}
