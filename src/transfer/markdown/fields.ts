import { basename, dirname } from 'node:path/posix';
import { micromark } from 'micromark';
import { textOf } from '#blog/content/text.ts';
import { postValues } from '#blog/post.ts';
import { addressOf, queryOf } from '../addresses.ts';
import { isoDate } from '../dates.ts';
import type { Person, PostHead } from '../document.ts';
import { type ExtrasOfPost, extrasOf, futureDate } from '../extras.ts';
import { type OwnForm, ownFormOf } from './own-text.ts';

export interface PostFields extends Omit<PostHead, 'path' | 'titles'> {
  /** Undefined if the front matter has no title; the first heading or the file name is then used. */
  readonly title: string | undefined;
  /** Set for this product's own exports, whose values need no interpretation. */
  readonly own?: OwnForm | undefined;
  readonly mathematics?: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

/** @param translation the language in the file's name, such as `zh` in `index.zh.md` */
export function postFields(fields: Fields, path: string, translation?: string): PostFields {
  const form = ownFormOf(fields);
  if (form) return ownFields(fields, path, form);
  const plain = translation ? path.replace(`.${translation}.`, '.') : path;
  const own = fieldsOf(fields, plain);
  if (!translation) return own;
  return {
    ...own,
    name: `${own.name}-${translation}`,
    addresses: own.addresses.map((address) => `/${translation}${address}`),
    others: { ...extrasOf({ language: translation }).others, ...own.others },
    unplaced: [
      `its link to the original ${plain} (this is the translation into “${translation}”)`,
      ...(own.unplaced ?? []),
    ],
  };
}

function fieldsOf(fields: Fields, path: string): PostFields {
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
  const isOwnDraft = isDraft(fields, path);
  const publishAt = futureDate(firstDate(fields, ['publishDate', 'pubDate', 'date', 'datePublished']));
  const reasons = [...notPublic(fields), ...(isOwnDraft && publishAt ? ['it was a draft'] : [])];
  const { others, unplaced, hidden, draft } = extrasIn(fields, reasons, publishAt);
  const [extra, params] = [table(fields.extra), table(fields.params)];
  const written = bundle ? dirname(path) : `${dirname(path)}/${stem}`;
  return {
    title: firstText(fields, ['title']),
    date: publishAt ? undefined : date,
    updated: firstDate(fields, ['updated', 'lastmod', 'updatedDate', 'modified', 'last_modified_at']),
    draft: isOwnDraft || draft,
    hidden,
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
    others,
    mathematics: [fields, params, extra].some(
      (each) =>
        each?.math === true || /^(?:true|katex|mathjax)$/i.test(String(each?.math ?? each?.mathjax ?? each?.katex)),
    ),
    author: authorOf(table(fields.author)),
    unplaced,
    image: fields.featuredImage === '' ? '' : [fields, extra, params].map(imageOf).find((each) => each !== undefined),
  };
}

/** Returns the URL paths that Hugo, Zola, Astro and Jekyll generate from the file's path, date and categories. */
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
  // With one of these values, Eleventy renders no page for a post, or leaves it out of all lists.
  if (fields.permalink === false || fields.eleventyExcludeFromCollections === true) return true;
  return /^(true|yes)$/i.test(String(fields.draft)) || path.split('/').includes('_drafts');
}

function notPublic(fields: Fields): string[] {
  const status = firstText(fields, ['status', 'post_status']);
  const expired = firstDate(fields, ['expiryDate', 'unpublishDate']);
  const render = table(fields.build ?? fields._build)?.render;
  return [
    ...[fields.published, fields.publish].flatMap((value) =>
      value === false || /^(?:false|no|off)$/i.test(String(value)) ? ['it was not published'] : [],
    ),
    ...(status && !/^publish(?:ed)?$/i.test(status) ? [`its status was ${status}`] : []),
    ...(expired && !futureDate(expired) ? [`it expired at ${expired}`] : []),
    ...(render === false || render === 'never' ? ['its old site had no page for it'] : []),
  ];
}

/** Matches a URL with the post's number, as written by tools that convert WordPress to Markdown. */
const WORDPRESS = /\?(?:p|page_id)=\d+$/;

const lastPart = (address: string): string => address.split('/').at(-1) ?? '';

/** Returns the date in a file name, folder or URL: `2020-01-02-name`, `2020/01/02`. */
function dateIn(text: string | undefined): string | undefined {
  const found = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})(?:[-_/]|$)/.exec(text ?? '');
  return found ? isoDate(`${found[1]}-${found[2]}-${found[3]}`) : undefined;
}

function ownFields(fields: Fields, path: string, form: OwnForm): PostFields {
  const values = postValues(fields);
  const { title, content: _, status: __, featuredImage: ___, newsletter, ...others } = values;
  const isDraft = fields.draft !== false;
  return {
    title: title || basename(path).replace(/\.\w+$/, ''),
    date: isoDate(fields.date),
    updated: isoDate(fields.updated),
    draft: isDraft,
    name: firstText(fields, ['slug']) ?? basename(path).replace(/\.\w+$/, ''),
    addresses: texts(fields.aliases),
    image: firstText(fields, ['featuredImage']) ?? '',
    own: form,
    author: authorOf(table(fields.author)),
    unplaced: [],
    // Omits `newsletter` from published posts, because the original site has already emailed them to its subscribers.
    others: isDraft && newsletter ? { ...others, newsletter } : others,
  };
}

const USER_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,35}$/;

function authorOf(value: Fields | undefined): Person | undefined {
  const [name, email, given] = ['name', 'email', 'id'].map((each) => value && firstText(value, [each]));
  const id = given && USER_ID.test(given) ? given : undefined;
  return name || email ? { key: id ?? email ?? name ?? '', name: name ?? email ?? '', email, id } : undefined;
}

function extrasIn(fields: Fields, hidden: readonly string[], publishAt: string | undefined): ExtrasOfPost {
  const tags = [fields.tags, table(fields.taxonomies)?.tags].flatMap(texts).flatMap((text) => text.split(','));
  const summary = firstText(fields, ['excerpt', 'description', 'summary']);
  return extrasOf({
    hidden,
    publishAt,
    isPage: ['kind', 'layout', 'type'].some((name) => /^page$/i.test(firstText(fields, [name]) ?? '')),
    tags,
    excerpt: summary && textOf(micromark(summary)).replace(/\s+/g, ' ').trim(),
    language: firstText(fields, ['lang', 'language']),
    alt: firstText(fields, ['featuredImageAlt', 'heroImageAlt', 'image_alt', 'imageAlt', 'cover_alt', 'coverAlt']),
  });
}

/** Names of fields for a post's picture, most specific first. A value may be an object with one of `IMAGE_PARTS`. */
export const IMAGES = 'featuredImage featured_image heroImage hero cover image images thumbnail banner og_image'.split(
  ' ',
);
export const IMAGE_PARTS = ['src', 'path', 'image', 'url', 'file'];

function imageOf(fields: Fields | undefined): string | undefined {
  if (!fields) return undefined;
  for (const name of IMAGES) {
    const value = Array.isArray(fields[name]) ? fields[name][0] : fields[name];
    const inner = table(value);
    const text = inner ? firstText(inner, IMAGE_PARTS) : value;
    if (typeof text === 'string' && text.trim()) return text.trim();
  }
  return undefined;
}

/** Returns the trimmed value of the first field that contains text. */
export function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

const firstDate = (fields: Fields, names: readonly string[]): string | undefined =>
  names.map((name) => isoDate(fields[name])).find(Boolean);

const texts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Returns the value if it is an object with fields; otherwise undefined. */
export const table = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Fields)
    : undefined;
