/**
 * The index of a static export's search. Posts are spread over parts by their slugs: a changed post changes one part,
 * which is made anew from the exported pages.
 */
import { crc32 } from 'node:zlib';
import { dayText } from '#blog/dates.ts';
import { type IndexedPost, indexText, PARTS_FILE, partFile } from '#blog/search/exported-index.ts';
import { postPath } from '../canonical.ts';
import { checksum } from '../store/bodies.ts';
import type { ExportFolder } from './folder.ts';
import type { Ledger, ListedPost } from './ledger.ts';
import { fileOf } from './places.ts';

/** Posts of a part at most, more or less: some 200 KB, and 75 KB compressed. A changed post has all of its part made anew. */
const PART = 128;

export interface SearchIndexOptions {
  readonly folder: ExportFolder;
  readonly ledger: Ledger;
  /** Of what all pages are made. */
  readonly look: string;
  readonly posts: readonly ListedPost[];
  readonly nameOf: (userId: string) => string;
  /** Writes a file and its compressed forms. */
  readonly put: (file: string, body: Buffer) => Promise<void>;
}

/** Brings the parts up to date. Gives the names of all of them. */
export async function exportSearchIndex({
  folder,
  ledger,
  look,
  posts,
  nameOf,
  put,
}: SearchIndexOptions): Promise<string[]> {
  // Doubles with the site, so that the same part is every post's as long as possible.
  const count = 2 ** Math.max(0, Math.ceil(Math.log2(posts.length / PART)));
  const parts: ListedPost[][] = Array.from({ length: count }, () => []);
  for (const post of posts) {
    if (ledger.pages.has(postPath(post.id))) parts[crc32(post.id) % count]?.push(post);
  }
  const versions: string[] = [];
  for (const [n, part] of parts.entries()) {
    const texts = new Map<string, string>();
    const known = [];
    for (const { id, title, createdAt, userId } of part) {
      // Not waited for where it is known: there are as many as posts.
      const words = ledger.pages.get(postPath(id))?.words ?? (await wordsOf(id, { folder, ledger, texts }));
      known.push(words, title, createdAt, nameOf(userId));
    }
    const version = checksum(JSON.stringify([look, count, known]));
    versions.push(version);
    if (ledger.head.searchParts[n] === version && folder.owns(partFile(n))) continue;
    const indexed = await Promise.all(
      part.map(async (post) => indexedPost(post, texts.get(post.id) ?? (await textOf(post.id, folder)), nameOf)),
    );
    await put(partFile(n), Buffer.from(indexText(indexed.flatMap((post) => post ?? []))));
  }
  ledger.head = { ...ledger.head, searchParts: versions };
  await put(PARTS_FILE, Buffer.from(JSON.stringify({ parts: count })));
  return [PARTS_FILE, ...versions.map((_, n) => partFile(n))];
}

interface Reading {
  readonly folder: ExportFolder;
  readonly ledger: Ledger;
  /** Of the posts whose pages were read. */
  readonly texts: Map<string, string>;
}

/** A checksum of a post's words: its page is another whenever a neighbour's title is, its words are not. */
async function wordsOf(id: string, { folder, ledger, texts }: Reading): Promise<string> {
  const page = ledger.pages.get(postPath(id));
  if (page?.words !== undefined) return page.words;
  const text = await textOf(id, folder);
  if (page === undefined || text === undefined) return '';
  texts.set(id, text);
  const words = checksum(text);
  ledger.setPage(postPath(id), { ...page, words });
  return words;
}

async function textOf(id: string, folder: ExportFolder): Promise<string | undefined> {
  const page = await folder.read(fileOf(postPath(id)));
  return page === undefined ? undefined : textOfPage(page);
}

function indexedPost(
  { id, title, userId, createdAt }: ListedPost,
  text: string | undefined,
  nameOf: (userId: string) => string,
): IndexedPost | undefined {
  if (text === undefined) return undefined;
  const date = new Date(createdAt);
  return {
    id,
    title,
    text,
    author: nameOf(userId),
    date: date.toISOString().slice(0, 10),
    day: dayText(date),
  };
}

/** Elements of a rendered text that stand inside a line. */
const INLINE = /^\/?(?:a|bdi|code|del|em|img|mark|span|strong|sub|sup|u)$/;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', apos: "'", nbsp: ' ' };

/** The words of a post's page: of its text alone. */
function textOfPage(html: string): string {
  const [, prose = ''] = /<div class="prose">([\s\S]*)<\/div>\s*<\/div>\s*(?:<nav|<\/article>)/.exec(html) ?? [];
  return prose
    .replace(/<a [^>]*data-footnote-backref[^>]*>[^<]*<\/a>/g, '')
    .replace(/<(\/?[a-z0-9]+)[^>]*>/gi, (_, tag: string) => (INLINE.test(tag.toLowerCase()) ? '' : '\n'))
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name) return ENTITIES[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
