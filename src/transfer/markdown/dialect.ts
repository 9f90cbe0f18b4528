import { basename, dirname, join } from 'node:path/posix';
import { OperatorError } from '#blog/errors.ts';
import { addressOf, decoded } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import type { Collection } from '../document.ts';
import { type Extras, extrasOf } from '../extras.ts';
import type { OpenOptions } from '../format.ts';
import { createOldSite, type OldSiteOptions } from '../old-site.ts';
import { isPictureName } from '../pictures.ts';
import { withinTime } from '../time-limit.ts';
import { type Fields, firstText } from './fields.ts';
import { readDocument } from './front-matter.ts';
import { collectionOf, type Syntax } from './import.ts';
import type { Source, Sources } from './sources.ts';

export interface Article {
  readonly title: string;
  readonly slug: string;
  readonly date: string | undefined;
  readonly updated?: string | undefined;
  readonly addresses: readonly string[];
  readonly image: string | undefined;
  readonly extras: Extras;
}

export interface Dialect extends Syntax {
  /** Returns the article or, if the file contains none, the reason as a sentence. */
  readonly read: (path: string, fields: Fields, body: string) => Article | string;
  readonly sites: readonly string[];
  readonly fileOf: OldSiteOptions['fileOf'];
}

export const articleNames = ({ names }: Archive): readonly string[] =>
  names.filter((name) => /\.(?:md|markdown)$/i.test(name));

/** Reads a file's front matter; returns no fields if it is malformed or the file cannot be read. */
export async function fieldsAt(archive: Archive, name: string): Promise<Fields> {
  try {
    return readDocument(await archive.head(name)).fields;
  } catch (error) {
    if (error instanceof OperatorError) return {};
    throw error;
  }
}

export function sourceOf(path: string, text: string, body: string, { slug, extras, ...article }: Article): Source {
  const addresses = [...new Set(article.addresses.map(addressOf))].filter((address) => address !== '/');
  const fields = { ...article, name: slug || article.title || path, addresses, ...extrasOf(extras) };
  return { path, text, body: body.replaceAll('\r\n', '\n'), fields };
}

export async function articlesIn(archive: Archive, { read }: Pick<Dialect, 'read'>): Promise<Sources> {
  const [sources, others]: [Source[], Collection['others'][number][]] = [[], []];
  for (const path of articleNames(archive)) {
    try {
      const text = await archive.text(path);
      const { fields, body } = withinTime(() => readDocument(text));
      const article = read(path, fields, body);
      if (typeof article === 'string') others.push({ path, reason: article, failed: false });
      else sources.push(sourceOf(path, text, body, article));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      others.push({ path, reason: error.message, failed: true });
    }
  }
  return { sources, others };
}

export function openArticles(
  archive: Archive,
  found: Sources,
  dialect: Dialect,
  options: OpenOptions,
  origin?: string,
): Collection {
  const { sites, fileOf } = dialect;
  const collection = collectionOf(found, options, dialect);
  const { posts } = collection;
  const { oldSite } = options;
  const toSite = createOldSite({ ...options, sites: oldSite ? [oldSite, ...sites] : sites, posts, fileOf });
  const paths = new Set(posts.map(({ path }) => path));
  return {
    ...collection,
    origin,
    follow(href, from) {
      const path = besideAt(href, from);
      if (path === undefined) return toSite(href);
      if (paths.has(path)) return { kind: 'post', path, fragment: /#.*$/.exec(href)?.[0] ?? '' };
      if (!archive.has(path) && !isPictureName(path)) return toSite(href);
      const read = () => archive.read(path);
      return { kind: 'file', file: { key: path, name: basename(path), isOfOldSite: true, read } };
    },
  };
}

function besideAt(href: string, from: string): string | undefined {
  if (/^(?:$|[a-z][a-z\d+.-]*:|[/#?])/i.test(href)) return undefined;
  return join(dirname(from), decoded(href.replace(/[?#].*$/s, '')));
}

export const textField = (fields: Fields, name: string): string => firstText(fields, [name]) ?? '';

export const tagsField = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[,\s]+/) : [])
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
