/** Reads Blogger's export: the old Atom file, Takeout's `feed.atom`, or a folder or zip file that contains either. */

import { OperatorError } from '#blog/errors.ts';
import { addressOf } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import { type Collection, type NoPost, type Person, type PostHead, type PostText, readText } from '../document.ts';
import { extrasOf, futureDate } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { plainTitle, readHtml } from '../html/read-html.ts';
import { createOldSite } from '../old-site.ts';
import { childrenOf, elementsOfFiles, htmlOf, placeIn, reportFault, textOf, type XmlElement } from '../read-xml.ts';
import { originalAt, prepareBody } from './body.ts';

const IS_BLOGGER = /tag:blogger\.com,1999:blog|schemas\.google\.com\/blogger\//;

const BLOG = /^tag:blogger\.com,1999:blog-\d+/;

export const blogger: Format = {
  async matches(archive) {
    for (const file of feedsIn(archive).slice(0, 20)) if (IS_BLOGGER.test(await archive.head(file))) return true;
    return false;
  },
  open: openBlogger,
};

/** Returns the names of the feeds. Takeout has one feed per blog, among other files. */
function feedsIn({ names }: Archive): readonly string[] {
  return names.length === 1
    ? names
    : names.filter((name) => /(?:^|\/)(?:feed\.atom|blog-[^/]*\.xml|[^/]+\.atom)$/i.test(name));
}

async function openBlogger(archive: Archive, options: OpenOptions): Promise<Collection> {
  const files = feedsIn(archive);
  if (files.length === 0) throw new OperatorError(`There is no feed.atom or blog-….xml in ${archive.path}.`);
  const [posts, others]: [PostHead[], NoPost[]] = [[], []];
  const comments = new Map<string, number>();
  const kinds = new Map<string, number>();
  const sites = new Set<string>(options.oldSite ? [options.oldSite] : []);
  const seen = new Set<string>();
  const wanted = new Set(['entry', 'link']);
  const onFault = (file: string, error: OperatorError) => reportFault(posts, others, file, error);
  for await (const { element } of elementsOfFiles(archive, files, wanted, onFault)) {
    if (element.name === 'link') {
      const { rel, href = '' } = element.attributes;
      if (rel === 'alternate' && URL.canParse(href)) sites.add(new URL(href).origin);
      continue;
    }
    const [path, kind] = [textOf(element, 'id').trim(), kindOf(element)];
    if (kind === 'comment') {
      const parent = parentOf(element);
      comments.set(parent, (comments.get(parent) ?? 0) + 1);
    } else if (!/^(?:post|page)$/.test(kind)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    else if (!seen.has(path)) {
      seen.add(path);
      if (isEmpty(element)) others.push({ path, reason: 'it has no text', failed: false });
      else posts.push(headOf(element, path, kind));
    }
  }
  for (const [kind, count] of kinds)
    others.push({ path: `${count} entries of type ${kind}`, reason: 'they are not posts', failed: false });
  const heads = posts.map((head): PostHead => {
    const count = comments.get(head.path);
    return count ? { ...head, unplaced: [...(head.unplaced ?? []), `${count} comments`] } : head;
  });
  const follow = createOldSite({ ...options, sites: [...sites], posts: heads, fileOf: originalAt });
  return {
    origin: heads.every(({ path }) => BLOG.test(path)) ? '' : undefined,
    posts: heads,
    others,
    follow,
    async *texts() {
      const left = new Map(heads.map((head) => [head.path, head]));
      for await (const { file, element } of elementsOfFiles(archive, files, new Set(['entry']))) {
        const head = left.get(textOf(element, 'id').trim());
        if (!head) continue;
        left.delete(head.path);
        const read = readText(head.path, () => textOfEntry(element, head), options.longestMs);
        yield { ...read, place: placeIn(file, element) };
      }
    },
  };
}

const lastOf = (text: string): string => text.split('#').at(-1)?.toLowerCase() ?? '';

function kindOf(entry: XmlElement): string {
  const named = textOf(entry, 'blogger:type').trim();
  if (named) return named.toLowerCase();
  const category = childrenOf(entry, 'category').find(({ attributes }) => /#kind$/.test(attributes.scheme ?? ''));
  return lastOf(category?.attributes.term ?? 'post');
}

function parentOf(entry: XmlElement): string {
  const inReply = childrenOf(entry, 'thr:in-reply-to')[0]?.attributes.ref;
  return inReply ?? textOf(entry, 'blogger:parent').trim();
}

const isEmpty = (entry: XmlElement): boolean => textOf(entry, 'title').trim() === '' && contentOf(entry).trim() === '';

function contentOf(entry: XmlElement): string {
  const content = childrenOf(entry, 'content')[0];
  if (!content) return '';
  return content.attributes.type === 'xhtml' ? htmlOf(content) : content.text;
}

function statusOf(entry: XmlElement): string {
  if (textOf(entry, 'blogger:trashed').trim()) return 'trashed';
  const status = textOf(entry, 'blogger:status').trim().toLowerCase();
  if (status) return status;
  const control = childrenOf(entry, 'app:control')[0];
  return control && /yes/i.test(textOf(control, 'app:draft')) ? 'draft' : 'live';
}

function headOf(entry: XmlElement, path: string, kind: string): PostHead {
  const title = plainTitle(textOf(entry, 'title'));
  const link = childrenOf(entry, 'link').find(({ attributes }) => attributes.rel === 'alternate')?.attributes.href;
  const address = link ?? (textOf(entry, 'blogger:filename').trim() || undefined);
  const status = statusOf(entry);
  const date = isoDate(textOf(entry, 'published')) ?? isoDate(textOf(entry, 'blogger:created'));
  const labels = childrenOf(entry, 'category')
    .filter(({ attributes }) => !/#kind$/.test(attributes.scheme ?? ''))
    .flatMap(({ attributes }) => attributes.term ?? []);
  const publishAt = futureDate(date);
  const own = address ? addressOf(address) : undefined;
  return {
    path,
    name: own?.split('/').at(-1) || title || path,
    titles: [title],
    date: publishAt ? undefined : date,
    updated: isoDate(textOf(entry, 'updated')),
    addresses: own && own !== '/' ? [own] : [],
    author: authorOf(entry, path),
    ...extrasOf({
      hidden: status === 'live' || (status === 'scheduled' && publishAt) ? [] : [`its status was ${status}`],
      publishAt,
      isPage: kind === 'page',
      tags: labels,
      excerpt: textOf(entry, 'blogger:metaDescription').trim(),
    }),
  };
}

/**
 * Returns the author. The key is the profile's URL or, without a URL, the name together with the blog, because names
 * are unique only within a blog. Ignores `noreply@blogger.com`, which Blogger writes for a hidden email address.
 */
function authorOf(entry: XmlElement, path: string): Person | undefined {
  const author = childrenOf(entry, 'author')[0];
  if (!author) return undefined;
  const [name = '', uri = '', email = ''] = ['name', 'uri', 'email'].map((each) => textOf(author, each).trim());
  if (!name && !uri) return undefined;
  const isReal = email.includes('@') && !/^noreply@/i.test(email);
  return { key: uri || `${BLOG.exec(path)?.[0] ?? ''} ${name}`, name: name || uri, email: isReal ? email : undefined };
}

function textOfEntry(entry: XmlElement, { path, draft }: PostHead): PostText {
  const html = contentOf(entry);
  const title = plainTitle(textOf(entry, 'title')) || path;
  return { path, title, ...readHtml(html, prepareBody), source: JSON.stringify([title, html, draft]) };
}
