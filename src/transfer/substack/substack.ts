/** Reads Substack's export: a zip file or folder with `posts.csv` and an HTML file for each post. */

import { parse } from 'csv-parse/sync';
import { OperatorError } from '#blog/errors.ts';
import { decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import { type Collection, type NoPost, type PostHead, type PostText, textsOf } from '../document.ts';
import { extrasOf, futureDate } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { plainTitle, readHtml } from '../html/read-html.ts';
import { createOldSite, pictureAt } from '../old-site.ts';
import { prepareBody } from './body.ts';

const TABLE = /(?:^|\/)posts\.csv$/i;

export const substack: Format = {
  async matches({ names, head }) {
    const table = names.find((name) => TABLE.test(name));
    return table !== undefined && /\bpost_id\b.*\bpost_date\b/.test(await head(table));
  },
  open: openSubstack,
};

type Row = Readonly<Record<string, string>>;

interface Entry {
  readonly path: string;
  readonly row: Row;
  readonly file: string | undefined;
}

async function openSubstack(archive: Archive, options: OpenOptions): Promise<Collection> {
  const table = archive.names.find((name) => TABLE.test(name));
  if (!table) throw new OperatorError(`There is no posts.csv in ${archive.path}.`);
  const entries = entriesOf(archive, table.replace(TABLE, ''), rowsOf(table, await archive.text(table)));
  const taken = entries.filter(({ file }) => file);
  const posts = taken.map(headOf);
  const sites = options.oldSite ? [options.oldSite] : [];
  return {
    origin: '',
    posts,
    others: [...missing(entries), ...unnamed(archive, entries)],
    follow: createOldSite({ ...options, sites, posts, fileOf: fileAt }),
    texts: () => textsOf(taken, textOf, { ...options, load: ({ file }) => archive.text(file ?? '') }),
  };
}

/** Parses `posts.csv`. @throws OperatorError if it is malformed */
function rowsOf(table: string, text: string): Row[] {
  const options = { columns: true, bom: true, relax_column_count: true, skip_empty_lines: true } as const;
  let rows: Row[];
  try {
    rows = parse(text, { ...options, max_record_size: 1_000_000 });
  } catch (error) {
    throw new OperatorError(`${table} is damaged or not CSV: ${(error as Error).message}.`);
  }
  if (rows[0] && !('post_id' in rows[0])) throw new OperatorError(`${table} has no column post_id.`);
  return rows;
}

function entriesOf(archive: Archive, folder: string, rows: readonly Row[]): Entry[] {
  const names = new Set(archive.names);
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const id = row.post_id?.trim();
    if (!id || entries.has(id)) continue;
    const path = `posts/${id}.html`;
    const file = `${folder}${path}`;
    entries.set(id, { path, row, file: names.has(file) ? file : undefined });
  }
  return [...entries.values()];
}

const isTrue = (text: string | undefined): boolean => /^\s*true\s*$/i.test(text ?? '');

const missing = (entries: readonly Entry[]): NoPost[] =>
  entries
    .filter(({ file }) => !file)
    .map(({ path, row }) => ({
      path,
      reason: `the export has no text for “${plainTitle(row.title ?? '')}”`,
      failed: isTrue(row.is_published),
    }));

const unnamed = ({ names }: Archive, entries: readonly Entry[]): NoPost[] => {
  const known = new Set(entries.map(({ file }) => file));
  return names
    .filter((name) => /(?:^|\/)posts\/[^/]+\.html$/i.test(name) && !known.has(name))
    .map((path) => ({ path, reason: 'posts.csv does not list it', failed: true }));
};

function headOf({ path, row }: Entry): PostHead {
  const id = row.post_id?.trim() ?? '';
  const slug = id.replace(/^\d+\.?/, '');
  const title = plainTitle(row.title ?? '');
  const [audience, type] = [row.audience?.trim() || 'everyone', row.type?.trim() || 'newsletter'];
  const isPublished = isTrue(row.is_published);
  const date = isoDate(row.post_date);
  // A scheduled post has a date and is not published.
  const publishAt = isPublished ? undefined : futureDate(date);
  return {
    path,
    name: slug || title || id,
    titles: [title],
    date: publishAt ? undefined : date,
    addresses: slug && isPublished ? [`/p/${slug}`] : [],
    ...extrasOf({
      hidden: [
        ...(isPublished || publishAt ? [] : ['it was a draft']),
        ...(audience === 'everyone' ? [] : [`its audience was “${audience}”`]),
      ],
      publishAt,
      isPage: type === 'page',
      excerpt: plainTitle(row.subtitle ?? ''),
      more: /^(?:newsletter|page)$/.test(type) ? [] : [`its type “${type}”`],
    }),
  };
}

function textOf({ path, row, file = path }: Entry, html: string): PostText {
  const title = plainTitle(row.title ?? '') || (row.post_id ?? path).replace(/^\d+\.?/, '') || path;
  const sound = row.podcast_url?.trim();
  const shown =
    sound && /^https?:\/\//.test(sound)
      ? `<p><a href="${sound.replace(/"/g, '&quot;')}">${title.replace(/</g, '&lt;')}</a></p>`
      : '';
  const read = readHtml(shown + html, prepareBody);
  return { path, place: { file }, title, ...read, source: JSON.stringify([row, html]) };
}

/** Returns the original picture. A scaled copy's URL contains the original's URL, percent-encoded. */
function fileAt(url: URL) {
  const isOwn =
    /^(?:substackcdn\.com|cdn\.substack\.com|(?:substack-post-media|bucketeer-[\w-]+)\.s3\.amazonaws\.com)$/;
  if (!isOwn.test(url.hostname)) return undefined;
  const inner = /\/(https?%3A%2F%2F.+)$/i.exec(url.pathname)?.[1];
  const original = (inner && URL.parse(decoded(inner))) || url;
  return pictureAt(original.pathname.split('/').at(-1) || 'picture', original.href, url);
}
