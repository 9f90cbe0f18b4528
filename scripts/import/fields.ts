/** What a post's front matter, file name and folders say, whichever generator they were written for. */

import { basename, dirname } from 'node:path/posix';
import { OTHER_TEXT_NAMES, type OtherTextName } from '#blog/post.ts';

export interface PostFields {
  /** Undefined when the front matter has none; the first heading or the file name serves then. */
  readonly title: string | undefined;
  /** ISO date with a time, or undefined. */
  readonly date: string | undefined;
  readonly updated: string | undefined;
  readonly draft: boolean;
  /** What the slug is made from: the last part of the post's old address. */
  readonly name: string;
  /** Old addresses on the site, each beginning and not ending with `/`. */
  readonly addresses: readonly string[];
  /** The picture named as the post's own, as written: a path or an address. */
  readonly image: string | undefined;
  /** The post's other text fields, which front matter has under the same names. */
  readonly others: OtherTexts;
}

type Fields = Readonly<Record<string, unknown>>;
type OtherTexts = Readonly<Record<OtherTextName, string>>;

/** @param path of the file below the imported folder, with `/`. */
export function postFields(fields: Fields, path: string): PostFields {
  const bundle = /^index\.\w+$/.test(basename(path));
  const stem = bundle ? basename(dirname(path)) : basename(path).replace(/\.\w+$/, '');
  const dated = /^(\d{4}-\d{2}-\d{2})[-_](.+)$/.exec(stem);
  const permalink = firstText(fields, ['path', 'url', 'permalink']);
  const address = permalink && !/[:{]/.test(permalink) ? addressOf(permalink) : undefined;
  const explicit = firstText(fields, ['slug']);
  const name = explicit || (address && lastPart(address)) || dated?.[2] || stem;
  const folders = `/${dirname(path).replace(/^\.$/, '')}/${stem}`.replace(/\/+/g, '/');
  const date =
    firstDate(fields, ['date', 'pubDate', 'publishDate', 'published', 'created', 'datePublished']) ??
    dateIn(stem) ??
    dateIn(address) ??
    dateIn(folders);
  const written = bundle ? dirname(path) : `${dirname(path)}/${stem}`;
  return {
    title: firstText(fields, ['title']),
    date,
    updated: firstDate(fields, ['updated', 'lastmod', 'updatedDate', 'modified', 'last_modified_at']),
    draft: isDraft(fields, path),
    name,
    addresses: [
      ...new Set(
        [
          address,
          ...texts(fields.aliases),
          ...texts(fields.redirect_from),
          ...texts(fields.guid).filter((guid) => WORDPRESS.test(guid)),
          ...generated(written, name, date, fields),
        ].flatMap((each) => (each ? [addressOf(each) + queryOf(each)] : [])),
      ),
    ],
    others: Object.fromEntries(OTHER_TEXT_NAMES.map((name) => [name, firstText(fields, [name]) ?? ''])) as OtherTexts,
    image: imageOf(fields) ?? imageOf(table(fields.extra)) ?? imageOf(table(fields.params)),
  };
}

/** The addresses that the file's own place gives it in Hugo, Zola and Astro, and its date and categories in Jekyll. */
function generated(written: string, name: string, date: string | undefined, fields: Fields): string[] {
  const place = written.replace(/^\.\//, '');
  const folder = dirname(place) === '.' ? '' : `${dirname(place)}/`;
  const plain = [place, `${folder}${name}`];
  if (!date) return plain;
  const dated = `${date.slice(0, 10).replaceAll('-', '/')}/${name}`;
  const categories = texts(fields.categories ?? fields.category).flatMap((each) => each.split(' '));
  return [...plain, dated, ...(categories.length > 0 ? [`${categories.join('/').toLowerCase()}/${dated}`] : [])];
}

function isDraft(fields: Fields, path: string): boolean {
  if (fields.draft === true || fields.published === false) return true;
  return /^(true|yes)$/i.test(String(fields.draft)) || path.split('/').includes('_drafts');
}

/** `/2020/01/02/name`, whatever scheme, slashes, `index.html` or `.html` it is written with. */
export function addressOf(text: string): string {
  const path = text
    .trim()
    .replace(/^https?:\/\/[^/]+/i, '')
    .replace(/[?#].*$/s, '');
  return `/${path}`
    .replace(/\/+/g, '/')
    .replace(/(\/index)?\.html?$|\/index$/i, '')
    .replace(/(.)\/$/, '$1');
}

/** The address of a post by its number, which WordPress's exporters write into front matter. */
const WORDPRESS = /\?(?:p|page_id)=\d+$/;

/** The query of an address, with its mark; empty without one. */
export const queryOf = (text: string): string => /\?[^#]+/.exec(text.trim())?.[0] ?? '';

const lastPart = (address: string): string => address.split('/').at(-1) ?? '';

/** A date in a file name, folder or address: `2020-01-02-name`, `2020/01/02`. */
function dateIn(text: string | undefined): string | undefined {
  const found = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})(?:[-_/]|$)/.exec(text ?? '');
  return found ? isoDate(`${found[1]}-${found[2]}-${found[3]}`) : undefined;
}

/**
 * ISO 8601 in UTC from what generators write: `2020-01-02`, `2020-01-02 03:04:05 +0200`, full ISO. A date without a time
 * is its midnight in UTC, a time without a zone is UTC. Undefined when it is no date.
 */
export function isoDate(value: unknown): string | undefined {
  if (value instanceof Date) return isoDate(value.toISOString());
  const found =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?/i.exec(
      String(value ?? '').trim(),
    );
  if (!found) return namedDate(String(value ?? ''));
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '', zone = 'Z'] = found;
  const two = (text: string) => text.padStart(2, '0');
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2') : 'Z';
  const date = new Date(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${fraction}${offset}`);
  const real =
    !Number.isNaN(date.getTime()) &&
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return real ? date.toISOString() : undefined;
}

/** `Jul 08 2022` and `8 July 2022`, as Astro's templates have it; its midnight in UTC. */
function namedDate(text: string): string | undefined {
  if (!/^(?:[a-z]{3,9}\.? \d{1,2},?|\d{1,2} [a-z]{3,9}\.?,?) \d{4}$/i.test(text.trim())) return undefined;
  const date = new Date(`${text} UTC`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function imageOf(fields: Fields | undefined): string | undefined {
  if (!fields) return undefined;
  for (const name of [
    'featuredImage',
    'featured_image',
    'heroImage',
    'hero',
    'cover',
    'image',
    'images',
    'thumbnail',
    'banner',
    'og_image',
  ]) {
    const value = Array.isArray(fields[name]) ? fields[name][0] : fields[name];
    const inner = table(value);
    const text = inner ? firstText(inner, ['src', 'path', 'image', 'url', 'file']) : value;
    if (typeof text === 'string' && text.trim()) return text.trim();
  }
  return undefined;
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

function firstDate(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const date = isoDate(fields[name]);
    if (date) return date;
  }
  return undefined;
}

const texts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const table = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Fields)
    : undefined;
