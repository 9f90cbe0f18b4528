/** Reads WordPress's export (WXR 1.0 to 1.2) from one or more files. Streams each file twice, to save memory. */

import type { Element, Root } from 'hast';
import { elementsIn } from '#blog/content/tree.ts';
import { OperatorError } from '#blog/errors.ts';
import { addressOf, decoded, queryOf } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import { type Collection, type NoPost, type Person, type PostHead, readText } from '../document.ts';
import { extrasOf, futureDate } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { build, hasClass } from '../html/figures.ts';
import { plainTitle, readHtml } from '../html/read-html.ts';
import { createOldSite } from '../old-site.ts';
import { isPictureName } from '../pictures.ts';
import { childrenOf, elementsOfFiles, placeIn, reportFault, textOf, type XmlElement } from '../read-xml.ts';
import { contentHtml } from './content.ts';
import { addFootnotes } from './footnotes.ts';

const WANTED = new Set(['item', 'wp:author', 'wp:base_site_url', 'wp:base_blog_url']);
const POSTS = /^(?:post|page)$/;
const SIZED = /-(?:\d+x\d+|scaled)(?=\.\w+$)/;

export const wordpress: Format = {
  async matches(archive) {
    const [first] = exportsIn(archive);
    return first !== undefined && /wordpress\.org\/export\/|<wp:wxr_version/.test(await archive.head(first));
  },
  open: openWordPress,
};

function exportsIn({ names }: Archive): readonly string[] {
  return names.length === 1 ? names : names.filter((name) => /\.(?:xml|wxr)$/i.test(name));
}

async function openWordPress(archive: Archive, options: OpenOptions): Promise<Collection> {
  const files = exportsIn(archive);
  if (files.length === 0) throw new OperatorError(`There is no .xml file in ${archive.path}.`);
  const [posts, others]: [PostHead[], NoPost[]] = [[], []];
  const attachments = new Map<string, { url: string; alt: string; parent: string }>();
  const blocks = new Map<string, string>();
  const people = new Map<string, Person>();
  const sites = new Set<string>(options.oldSite ? [options.oldSite] : []);
  const thumbnails = new Map<string, string>();
  let blog: string | undefined;
  const seen = new Set<string>();
  const onFault = (file: string, error: OperatorError) => reportFault(posts, others, file, error);
  for await (const { element } of elementsOfFiles(archive, files, WANTED, onFault)) {
    if (element.name === 'wp:author') addPerson(element, people);
    else if (element.name !== 'item') {
      const site = element.text.trim().replace(/\/+$/, '');
      sites.add(site);
      // Does not use `wp:base_site_url`, because all blogs in a network share it.
      if (element.name === 'wp:base_blog_url') blog ??= site;
    } else {
      const [type, id] = [textOf(element, 'wp:post_type') || 'post', textOf(element, 'wp:post_id')];
      if (type === 'attachment') {
        const url = textOf(element, 'wp:attachment_url').trim() || textOf(element, 'guid').trim();
        const alt = metaOf(element, '_wp_attachment_image_alt');
        attachments.set(id, { url, alt, parent: textOf(element, 'wp:post_parent') });
        continue;
      }
      if (type === 'wp_block') {
        blocks.set(id, textOf(element, 'content:encoded'));
        continue;
      }
      const path = pathOf(element);
      if (seen.has(path)) continue;
      seen.add(path);
      const reason = whyNoPost(element, type);
      if (reason) {
        others.push({ path, reason, failed: false });
        continue;
      }
      posts.push(headOf(element, path, people));
      const thumbnail = metaOf(element, '_thumbnail_id');
      if (thumbnail) thumbnails.set(path, thumbnail);
    }
  }
  const heads = posts.map((head): PostHead => {
    const number = thumbnails.get(head.path);
    const found = attachments.get(number ?? '');
    if (!found) {
      if (!number || number === '0') return head;
      const missing = `the featured picture (number ${number}), because it is not in this file; export the media too`;
      // An empty `image` keeps the text's first picture from becoming the featured picture.
      return { ...head, image: '', unplaced: [...(head.unplaced ?? []), missing] };
    }
    return { ...head, image: found.url, others: { ...head.others, ...extrasOf({ alt: found.alt }).others } };
  });
  const attachedTo = (id: string) =>
    [...attachments].filter(([, { url, parent }]) => parent === id && isPictureName(url)).map(([number]) => number);
  const originals = new Map(Array.from(attachments.values(), ({ url }) => [keyOf(url), url]));
  const follow = createOldSite({
    ...options,
    sites: [...sites],
    posts: heads,
    fileOf(url) {
      const whole = keyOf(url.href);
      const bare = whole.replace(SIZED, '');
      const original = originals.get(bare) ?? originals.get(whole);
      if (!original && !url.pathname.includes('/wp-content/uploads/')) return undefined;
      const address = original ?? url.href;
      const path = decoded(new URL(address, url).pathname).replace(/^.*\/wp-content\/uploads\//, '');
      return { path, candidates: [...new Set([address, url.href])] };
    },
  });
  return {
    origin: blog,
    posts: heads,
    others,
    follow,
    async *texts() {
      const left = new Set(heads.map(({ path }) => path));
      for await (const { file, element } of elementsOfFiles(archive, files, new Set(['item']))) {
        const path = pathOf(element);
        if (!left.delete(path)) continue;
        const read = () =>
          textOfItem(element, path, {
            attachment: (id) => attachments.get(id),
            attached: () => attachedTo(textOf(element, 'wp:post_id')),
            block: (id) => blocks.get(id),
          });
        yield { ...readText(path, read, options.longestMs), place: placeIn(file, element) };
      }
    },
  };
}

function addPerson(element: XmlElement, people: Map<string, Person>): void {
  const login = textOf(element, 'wp:author_login').trim();
  const email = textOf(element, 'wp:author_email').trim() || undefined;
  people.set(login, { key: login, name: plainTitle(textOf(element, 'wp:author_display_name')) || login, email });
}

const pathOf = (item: XmlElement): string =>
  `${textOf(item, 'wp:post_type') || 'post'} ${textOf(item, 'wp:post_id') || textOf(item, 'guid') || textOf(item, 'link')}`;

const metaOf = (item: XmlElement, key: string): string =>
  textOf(childrenOf(item, 'wp:postmeta').find((meta) => textOf(meta, 'wp:meta_key') === key) ?? item, 'wp:meta_value');

function whyNoPost(item: XmlElement, type: string): string | undefined {
  if (!POSTS.test(type)) return `its type is “${type}”, so it is not a post`;
  if (textOf(item, 'wp:status') === 'auto-draft') return 'it is an empty draft that WordPress created';
  const isEmpty = textOf(item, 'content:encoded').trim() === '' && textOf(item, 'title').trim() === '';
  return isEmpty ? 'it has no text' : undefined;
}

/** Plugins also store formats, translations and accounts as terms, which readers never see. */
const TAGS = /^(?:category|post_tag|tag)$/;

const dateOf = (text: string): string | undefined => (/^\s*0000/.test(text) ? undefined : isoDate(text));

function headOf(item: XmlElement, path: string, people: ReadonlyMap<string, Person>): PostHead {
  const [status, password] = [textOf(item, 'wp:status') || 'publish', textOf(item, 'wp:post_password')];
  const date = dateOf(textOf(item, 'wp:post_date_gmt')) ?? dateOf(textOf(item, 'wp:post_date'));
  const publishAt = status === 'future' ? futureDate(date) : undefined;
  const title = plainTitle(textOf(item, 'title'));
  const [link, guid] = [textOf(item, 'link').trim(), textOf(item, 'guid').trim()];
  const login = textOf(item, 'dc:creator').trim();
  const slug = decoded(textOf(item, 'wp:post_name'));
  const terms = childrenOf(item, 'category');
  const tags = terms
    .filter(({ attributes: { domain = 'category', nicename } }) => TAGS.test(domain) && nicename !== 'uncategorized')
    .map(({ text }) => plainTitle(text));
  const language = terms.find(({ attributes }) => attributes.domain === 'language')?.attributes.nicename;
  const excerpt = plainTitle(textOf(item, 'excerpt:encoded'));
  const comments = childrenOf(item, 'wp:comment').length;
  return {
    path,
    name: slug || title || path,
    titles: [title],
    date: publishAt ? undefined : date,
    updated: dateOf(textOf(item, 'wp:post_modified_gmt')),
    addresses: [
      ...new Set([link, guid].filter((each) => /^https?:/.test(each)).map((each) => addressOf(each) + queryOf(each))),
    ].filter((address) => address !== '/'),
    author: login ? (people.get(login) ?? { key: login, name: login }) : undefined,
    ...extrasOf({
      hidden: [
        ...(status === 'publish' || publishAt ? [] : [`its status was ${status}`]),
        ...(password ? ['it was protected with a password'] : []),
      ],
      publishAt,
      isPage: textOf(item, 'wp:post_type') === 'page',
      tags,
      excerpt,
      language,
      comments,
      more: textOf(item, 'wp:is_sticky') === '1' ? ['its place at the top of the list'] : [],
    }),
  };
}

function textOfItem(
  item: XmlElement,
  path: string,
  context: Omit<Parameters<typeof contentHtml>[1], 'notes' | 'losses'>,
) {
  const [notes, lost]: [string[], string[]] = [[], []];
  const [source, footnotes] = [textOf(item, 'content:encoded'), metaOf(item, 'footnotes')];
  const read = readHtml(contentHtml(source, { ...context, notes, losses: lost }), (body, found) => {
    showBackgrounds(body);
    addFootnotes(body, footnotes, found);
  });
  const title = plainTitle(textOf(item, 'title')) || plainTitle(textOf(item, 'wp:post_name')) || path;
  const [status, password] = [textOf(item, 'wp:status'), textOf(item, 'wp:post_password')];
  return {
    ...read,
    ...{ path, title, source: JSON.stringify([title, source, footnotes, status, password]) },
    notes: [...new Set([...notes, ...read.notes])],
    losses: [...lost, ...read.losses],
  };
}

const keyOf = (url: string): string => decoded(url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[?#].*$/s, ''));

const BACKGROUND = /background(?:-image)?\s*:[^;]*?url\(\s*(["']?)([^"')]+)\1\s*\)/i;

function showBackgrounds(tree: Root): void {
  for (const [element] of elementsIn(tree)) {
    const { style, ariaLabel } = element.properties;
    const src = hasClass(element, /^wp-block-/) ? BACKGROUND.exec(String(style ?? ''))?.[2]?.trim() : undefined;
    if (!src || holds(element, src)) continue;
    element.children.unshift(build('figure', [build('img', [], { src, alt: String(ariaLabel ?? '') })]));
  }
}

const holds = (block: Element, src: string): boolean =>
  elementsIn(block).some(([{ tagName, properties }]) => tagName === 'img' && properties.src === src);
