import { z } from 'zod';
import { OperatorError } from '#blog/errors.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import type { Place } from '../decode-text.ts';
import type { Person } from '../document.ts';
import { escapedText } from '../mend-markup.ts';
import { parseJson } from '../read-json.ts';
import { childrenOf, elementsOf, htmlOf, linkHtml, placeIn, textOf, type XmlElement } from '../read-xml.ts';

export interface FeedEntry {
  readonly kind: 'entry';
  readonly path: string;
  readonly title: string;
  readonly link: string;
  readonly html: string;
  readonly isExcerpt: boolean;
  readonly excerpt: string;
  readonly date: string | undefined;
  readonly updated?: string | undefined;
  readonly author: Person | undefined;
  readonly tags: readonly string[];
  readonly image: string;
  readonly language: string | undefined;
  readonly place?: Place | undefined;
}

interface FeedSite {
  readonly kind: 'site';
  readonly address: string;
}

/** Yields the site's addresses and the entries. @throws OperatorError for a malformed feed */
export async function* xmlEntries(archive: Archive, file: string): AsyncGenerator<FeedEntry | FeedSite> {
  for await (const element of elementsOf(archive, file, new Set(['item', 'entry', 'link']))) {
    if (element.name === 'link') {
      const { rel = 'alternate', href } = element.attributes;
      if (rel === 'alternate') yield { kind: 'site', address: href ?? element.text.trim() };
    } else {
      const entry = element.name === 'item' ? rssEntry(element) : atomEntry(element);
      yield { ...entry, place: placeIn(file, element) };
    }
  }
}

function rssEntry(item: XmlElement): FeedEntry {
  const [whole, description] = [textOf(item, 'content:encoded'), textOf(item, 'description')];
  const guid = textOf(item, 'guid').trim();
  const link = textOf(item, 'link').trim() || (/^https?:/.test(guid) ? guid : '');
  const enclosures = childrenOf(item, 'enclosure').map(({ attributes }) => attributes);
  const picture = enclosures.find(({ type = '' }) => /^image\//.test(type));
  const written = textOf(item, 'dc:creator').trim() || textOf(item, 'author').trim();
  return {
    kind: 'entry',
    path: guid || link || textOf(item, 'title'),
    title: textOf(item, 'title'),
    link,
    html: withEpisodes(whole.trim() ? whole : description, enclosures),
    isExcerpt: !whole.trim(),
    excerpt: whole.trim() ? description : '',
    date: isoDate(textOf(item, 'pubDate')) ?? isoDate(textOf(item, 'dc:date')),
    author: personOf(written),
    tags: [...childrenOf(item, 'category'), ...childrenOf(item, 'dc:subject')]
      .map(({ text }) => text.trim())
      .filter(Boolean),
    image: picture?.url ?? '',
    language: textOf(item, 'dc:language').trim() || undefined,
  };
}

function withEpisodes(html: string, enclosures: readonly Readonly<Record<string, string | undefined>>[]): string {
  const links = enclosures.flatMap(({ type = '', url = '' }) => {
    const isThere = html.includes(url) || html.includes(escapedText(url));
    if (isThere || !/^(?:audio|video)\//.test(type) || !/^https?:/.test(url)) return [];
    return [linkHtml(url)];
  });
  return links.join('') + html;
}

/** Parses an author that is given as `ann@example.com (Ann)` or as a name. */
function personOf(written: string): Person | undefined {
  if (!written) return undefined;
  const [, email, name] = /^(\S+@\S+?)\s*(?:\(([^)]*)\))?$/.exec(written) ?? [];
  return { key: email ?? written, name: name || email || written, email };
}

function atomEntry(entry: XmlElement): FeedEntry {
  const links = childrenOf(entry, 'link');
  const link = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate')?.attributes.href ?? '';
  const [content, summary] = [childrenOf(entry, 'content')[0], childrenOf(entry, 'summary')[0]];
  const html = content ? atomHtml(content) : '';
  const author = childrenOf(entry, 'author')[0];
  const [name, email] = author ? [textOf(author, 'name').trim(), textOf(author, 'email').trim()] : ['', ''];
  const id = textOf(entry, 'id').trim();
  return {
    kind: 'entry',
    path: id || link || textOf(entry, 'title'),
    title: atomHtml(childrenOf(entry, 'title')[0]),
    link: link || (/^https?:/.test(id) ? id : ''),
    html: html.trim() ? html : atomHtml(summary),
    isExcerpt: !html.trim(),
    excerpt: html.trim() ? atomHtml(summary) : '',
    date: isoDate(textOf(entry, 'published')) ?? isoDate(textOf(entry, 'updated')),
    updated: isoDate(textOf(entry, 'updated')),
    author: name || email ? { key: email || name, name: name || email, email: email || undefined } : undefined,
    tags: childrenOf(entry, 'category').flatMap(({ attributes }) => attributes.label ?? attributes.term ?? []),
    image: '',
    language: entry.attributes['xml:lang'],
  };
}

function atomHtml(element: XmlElement | undefined): string {
  if (!element) return '';
  const { type = 'text' } = element.attributes;
  if (/xhtml/.test(type) || element.children.length > 0) return htmlOf(element);
  return /html/.test(type) ? element.text : escapedText(element.text);
}

const maybe = z.string().nullish();
const authors = z.array(z.looseObject({ name: maybe, url: maybe })).nullish();
const jsonFeed = z.looseObject({
  home_page_url: maybe,
  language: maybe,
  authors,
  items: z.array(
    z.looseObject({
      id: z.union([z.string(), z.number()]).transform(String),
      url: maybe,
      title: maybe,
      content_html: maybe,
      content_text: maybe,
      summary: maybe,
      image: maybe,
      banner_image: maybe,
      date_published: maybe,
      date_modified: maybe,
      authors,
      author: z.looseObject({ name: maybe, url: maybe }).nullish(),
      tags: z.array(z.string()).nullish(),
      language: maybe,
    }),
  ),
});

/** Yields the site's address and the entries. @throws OperatorError for a malformed feed */
export function* jsonEntries(file: string, text: string): Generator<FeedEntry | FeedSite> {
  const read = jsonFeed.safeParse(parseJson(file, text));
  if (!read.success) throw new OperatorError(`${file} is not a valid JSON Feed: ${read.error.issues[0]?.message}.`);
  const { home_page_url, items, ...whole } = read.data;
  if (home_page_url) yield { kind: 'site', address: home_page_url };
  for (const item of items) {
    const [writer] = [...(item.authors ?? []), ...(item.author ? [item.author] : []), ...(whole.authors ?? [])];
    const name = writer?.name?.trim();
    yield {
      kind: 'entry',
      path: item.id,
      title: escapedText(item.title ?? ''),
      link: item.url ?? '',
      html: item.content_html || paragraphs(item.content_text || item.summary || ''),
      isExcerpt: !item.content_html && !item.content_text,
      excerpt: item.content_html || item.content_text ? escapedText(item.summary ?? '') : '',
      date: isoDate(item.date_published),
      updated: isoDate(item.date_modified),
      author: name ? { key: writer?.url || name, name } : undefined,
      tags: item.tags ?? [],
      image: item.image ?? item.banner_image ?? '',
      language: item.language ?? whole.language ?? undefined,
    };
  }
}

const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((part) => `<p>${escapedText(part.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('');
