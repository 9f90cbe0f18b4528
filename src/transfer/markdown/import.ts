/** A folder of Markdown as posts: Jekyll, Hugo, Astro, Zola, and this product's own export. */

import { join, resolve } from 'node:path';
import { REDIRECTS_FILE, readRedirects } from '#redirects/redirects-file.ts';
import { type Collection, type PostHead, type PostText, textsOf } from '../document.ts';
import { type Result, type WriteOptions, writePosts } from '../write/write.ts';
import { createLinks } from './links.ts';
import { dropFirstHeading, readMarkdown } from './markdown.ts';
import { isStoredSet, readOwnText } from './own-text.ts';
import { readSources, type Source } from './sources.ts';

export interface MarkdownOptions {
  readonly folder: string;
  readonly oldSite?: string | undefined;
  readonly longestMs?: number | undefined;
}

/** The posts below `folder`. */
export async function openMarkdown({ folder, oldSite, longestMs }: MarkdownOptions): Promise<Collection> {
  const { sources, others, repairs } = await readSources(folder, longestMs);
  const links = createLinks(sources, { folder, oldSite });
  return {
    posts: sources.map(headOf),
    others,
    repairs,
    texts: () => textsOf(sources, textOf, { longestMs }),
    follow: links.follow,
    redirects: sources.some(({ fields }) => fields.own) ? await readRedirects(join(folder, REDIRECTS_FILE)) : [],
  };
}

/** The folder's posts, written. */
export async function importMarkdown({
  folder,
  oldSite,
  longestMs,
  ...options
}: MarkdownOptions & Omit<WriteOptions, 'place'>): Promise<Result[]> {
  return writePosts(await openMarkdown({ folder, oldSite, longestMs }), {
    ...options,
    longestMs,
    place: resolve(folder),
  });
}

export function headOf({ path, body, fields }: Source): PostHead {
  const heading = /^\s*#\s+(.+)/.exec(body)?.[1];
  const titles = [fields.title, heading?.replace(/[*_`]/g, '').trim(), fields.name].filter(
    (title) => title !== undefined,
  );
  const { name, date, updated, draft, hidden, addresses, image, others, author, unplaced } = fields;
  return { path, name, titles, date, updated, draft, hidden, addresses, image, others, author, unplaced };
}

/** @throws RangeError where it has too many levels. */
export function textOf({ path, text, body, fields }: Source): PostText {
  const stored = fields.own && readOwnText(body, fields.own);
  if (stored && isStoredSet(stored))
    return { path, title: fields.title ?? '', tree: stored, isStored: true, source: text, notes: [], losses: [] };
  const linesAbove = text.split('\n').length - body.split('\n').length;
  const { tree, firstHeading, unknown, words, ...read } = readMarkdown(body, {
    mdx: /\.mdx$/i.test(path),
    linesAbove,
    mathematics: fields.mathematics === true,
  });
  if (!fields.title && firstHeading) dropFirstHeading(tree);
  const notes = [...unknown.map((call) => `left out, its meaning is not known: ${call}`), ...read.notes];
  return { path, title: fields.title ?? firstHeading ?? fields.name, tree, source: text, notes, losses: [], words };
}
