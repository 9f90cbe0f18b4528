/** Articles of platforms that write Markdown of their own kind: read as Markdown once what is peculiar to them is put into its words. */

import { basename, posix } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { addressOf, decoded } from './addresses.ts';
import type { Archive } from './archive.ts';
import { type Collection, type NoPost, type PostHead, type PostText, type TransferFile, textsOf } from './document.ts';
import { type Extras, extrasOf } from './extras.ts';
import type { OpenOptions } from './format.ts';
import { readDocument } from './markdown/front-matter.ts';
import { dropFirstHeading, readMarkdown } from './markdown/markdown.ts';
import { createOldSite, type OldSiteOptions } from './old-site.ts';
import { isPictureName } from './pictures.ts';
import { withinTime } from './time-limit.ts';

export interface Article {
  readonly path: string;
  readonly title: string;
  readonly slug: string;
  readonly date: string | undefined;
  readonly updated?: string | undefined;
  readonly addresses: readonly string[];
  readonly image: string | undefined;
  readonly extras: Extras;
  /** Markdown, with what is peculiar to the platform. */
  readonly body: string;
  /** The whole as it stands in the source. */
  readonly source: string;
}

export interface Platform {
  /** The article in a file; a sentence where it is none. */
  readonly read: (
    path: string,
    fields: Readonly<Record<string, unknown>>,
    body: string,
    source: string,
  ) => Article | string;
  /** Markdown that all readers know, in place of the platform's own. */
  readonly toMarkdown: (body: string, found: { readonly notes: string[]; readonly losses: string[] }) => string;
  readonly sites: readonly string[];
  readonly fileOf: OldSiteOptions['fileOf'];
}

const IS_MARKDOWN = /\.(?:md|markdown)$/i;

export const articleNames = ({ names }: Archive): readonly string[] => names.filter((name) => IS_MARKDOWN.test(name));

/** The front matter of a file's beginning; empty where there is none that can be read. */
export async function fieldsAt(archive: Archive, name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return readDocument(await archive.head(name)).fields;
  } catch (error) {
    if (error instanceof OperatorError) return {};
    throw error;
  }
}

/** The articles in the Markdown files of `archive`. */
export async function articlesIn(
  archive: Archive,
  { read }: Pick<Platform, 'read'>,
): Promise<{ articles: Article[]; others: NoPost[] }> {
  const [articles, others]: [Article[], NoPost[]] = [[], []];
  for (const path of articleNames(archive)) {
    try {
      const source = await archive.text(path);
      const { fields, body } = withinTime(() => readDocument(source));
      const article = read(path, fields, body, source);
      if (typeof article === 'string') others.push({ path, reason: article, failed: false });
      else articles.push(article);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      others.push({ path, reason: (error as Error).message, failed: true });
    }
  }
  return { articles, others };
}

export function openArticles(
  archive: Archive,
  { articles, others }: { articles: readonly Article[]; others: readonly NoPost[] },
  { toMarkdown, sites, fileOf }: Platform,
  { oldSite, media, fetch, longestMs }: OpenOptions,
  origin?: string,
): Collection {
  const posts = articles.map(headOf);
  const own = oldSite ? [oldSite, ...sites] : sites;
  const toSite = createOldSite({ sites: own, posts, media, fetch, fileOf });
  const paths = new Set(posts.map(({ path }) => path));
  const names = new Set(archive.names);
  const fileAt = (path: string): TransferFile => ({
    key: path,
    name: basename(path),
    isOfOldSite: true,
    read: () => archive.read(path),
  });
  return {
    origin,
    posts,
    others,
    repairs: archive.repairs,
    follow(href, from) {
      const path = besideAt(href, from);
      if (path === undefined) return toSite(href);
      if (paths.has(path)) return { kind: 'post', path, fragment: /#.*$/.exec(href)?.[0] ?? '' };
      return names.has(path) || isPictureName(path) ? { kind: 'file', file: fileAt(path) } : toSite(href);
    },
    texts: () => textsOf(articles, (article) => textOf(article, toMarkdown), { longestMs }),
    close: archive.close,
  };
}

/** The path of what an address without a beginning names beside the article at `from`; undefined for any other address. */
function besideAt(href: string, from: string): string | undefined {
  if (/^(?:$|[a-z][a-z\d+.-]*:|[/#?])/i.test(href)) return undefined;
  return posix.join(posix.dirname(from), decoded(href.replace(/[?#].*$/s, '')));
}

function headOf({ path, title, slug, date, updated, addresses, image, extras }: Article): PostHead {
  return {
    path,
    name: slug || title || path,
    titles: [title],
    date,
    updated,
    addresses: [...new Set(addresses.map(addressOf))].filter((address) => address !== '/'),
    image,
    ...extrasOf(extras),
  };
}

function textOf({ path, title, body, source }: Article, toMarkdown: Platform['toMarkdown']): PostText {
  const [notes, losses]: [string[], string[]] = [[], []];
  const linesAbove = source.split('\n').length - body.split('\n').length;
  const read = readMarkdown(toMarkdown(body.replaceAll('\r\n', '\n'), { notes, losses }), { linesAbove });
  if (read.firstHeading !== undefined && plainWords(read.firstHeading) === plainWords(title))
    dropFirstHeading(read.tree);
  return {
    path,
    title: title || read.firstHeading || path,
    tree: read.tree,
    words: read.words,
    source,
    notes: [...notes, ...read.unknown.map((call) => `left out, its meaning is not known: ${call}`), ...read.notes],
    losses,
  };
}

/** A heading that is the title once more. */
const plainWords = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** A field's text; empty where it has none. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** `a, b` as one text, or a list. */
export const tagsField = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[,\s]+/) : [])
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
