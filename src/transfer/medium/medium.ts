/** Reads Medium's export: a zip file or folder with an HTML file for each post, among many other files. */

import type { Root } from 'hast';
import { elementsIn, parseHtml, textIn, writeHtml } from '#blog/content/tree.ts';
import { OperatorError } from '#blog/errors.ts';
import { addressOf } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { isoDate } from '../dates.ts';
import { type Collection, type NoPost, type Person, type PostHead, type PostText, textsOf } from '../document.ts';
import { extrasOf } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { hasClass } from '../html/figures.ts';
import { readHtml } from '../html/read-html.ts';
import { createOldSite } from '../old-site.ts';
import { withinTime } from '../time-limit.ts';
import { prepareBody } from './body.ts';

export const medium: Format = {
  async matches(archive) {
    const [first] = postsIn(archive);
    return first !== undefined && /class="(?:h-entry|p-name|graf)/.test(await archive.head(first));
  },
  open: openMedium,
};

function postsIn({ names }: Archive): readonly string[] {
  const inPosts = names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/i.test(name));
  return inPosts.length > 0 ? inPosts : names.filter((name) => /^[^/]+\.html$/i.test(name));
}

async function openMedium(archive: Archive, options: OpenOptions): Promise<Collection> {
  const files = postsIn(archive);
  if (files.length === 0) throw new OperatorError(`There is no posts/*.html in ${archive.path}.`);
  const [posts, others]: [PostHead[], NoPost[]] = [[], []];
  const email = await addressOfWriter(archive);
  const hosts = new Set(['https://medium.com', ...(options.oldSite ? [options.oldSite] : [])]);
  const byId = new Map<string, string>();
  for (const path of files) {
    try {
      const html = await archive.text(path);
      const page = withinTime(() => parsePage(html), options.longestMs);
      if (!page.body) {
        others.push({ path, reason: 'it is not a Medium post', failed: false });
        continue;
      }
      posts.push(headOf(path, page, email));
      if (page.canonical) hosts.add(new URL(page.canonical).origin);
      const id = idIn(path.replace(/\.html$/i, ''));
      if (id) byId.set(id, path);
    } catch (error) {
      others.push({ path, reason: (error as Error).message, failed: true });
    }
  }
  const rest = archive.names.filter((name) => !files.includes(name) && /\.html$/i.test(name));
  if (rest.length > 0)
    others.push({
      path: `${rest.length} other files`,
      reason: 'claps, bookmarks, the profile and other lists are not posts',
      failed: false,
    });
  const follow = createOldSite({
    ...options,
    sites: [...hosts],
    posts,
    fileOf(url) {
      if (!/^(?:cdn-images-\d|miro)\.medium\.com$/.test(url.hostname)) return undefined;
      const id = url.pathname.split('/').at(-1) ?? '';
      const name = id.replaceAll('*', '-');
      return {
        path: /\.\w{3,4}$/.test(name) ? name : `${name}.jpg`,
        candidates: [`https://miro.medium.com/v2/${id}`, `https://cdn-images-1.medium.com/max/2600/${id}`, url.href],
      };
    },
  });
  return {
    // A name alone does not identify an author across blogs.
    origin: posts.every(({ author }) => !author || author.email || author.key !== author.name) ? '' : undefined,
    posts,
    others,
    follow(href, path) {
      const id = /^https?:\/\//.test(href) ? idIn(href.replace(/[?#].*$/s, '')) : undefined;
      const post = id && byId.get(id);
      if (post && post !== path) return { kind: 'post', path: post, fragment: /#.*$/.exec(href)?.[0] ?? '' };
      return follow(href);
    },
    texts: () => textsOf(posts, textOf, { ...options, load: ({ path }) => archive.text(path) }),
  };
}

const idIn = (text: string): string | undefined => /(?:^|[-_/])([0-9a-f]{9,12})$/.exec(text)?.[1];

type Page = ReturnType<typeof parsePage>;

function parsePage(html: string) {
  const elements = elementsIn(parseHtml(html)).map(([element]) => element);
  const withClass = (pattern: RegExp) => elements.find((each) => hasClass(each, pattern));
  const [title, author, time] = [/^p-name$/, /^p-author$/, /^dt-published$/].map(withClass);
  const subtitle = elements.find((each) => each.properties.dataField === 'subtitle');
  const body = elements.find((each) => each.properties.dataField === 'body' || hasClass(each, /^e-content$/));
  const address = withClass(/^p-canonical$/)?.properties.href;
  return {
    title: title ? plain(textIn(title)) : '',
    subtitle: subtitle ? plain(textIn(subtitle)) : '',
    body: body && ({ type: 'root', children: body.children } satisfies Root),
    date: isoDate(time?.properties.dateTime ?? time?.properties.datetime),
    canonical: typeof address === 'string' && URL.canParse(address) ? address : undefined,
    author: author && { name: plain(textIn(author)), href: String(author.properties.href ?? '') },
  };
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

async function addressOfWriter(archive: Archive): Promise<string | undefined> {
  const profile = archive.names.find((name) => /(?:^|\/)profile\/profile\.html$/i.test(name));
  if (!profile) return undefined;
  return /Email address:\s*([^\s<>]+@[^\s<>]+)/.exec(textIn(parseHtml(await archive.text(profile))))?.[1];
}

function headOf(path: string, page: Page, email: string | undefined): PostHead {
  const { title, subtitle, date, canonical, author, body } = page;
  const stem = (path.split('/').at(-1) ?? path).replace(/\.html$/i, '');
  const isDraft = stem.startsWith('draft_') || !date;
  const isAnswer = !isDraft && !!body && isResponse(body, title);
  const name = stem.replace(/^(?:draft|\d{4}-\d{2}-\d{2})_/, '').replace(/-*[0-9a-f]{9,12}$/, '');
  const id = idIn(stem);
  const person: Person | undefined =
    author?.name || email
      ? { key: author?.href || email || author?.name || '', name: author?.name || email || '', email }
      : undefined;
  const fileDate = isoDate(/^\d{4}-\d{2}-\d{2}/.exec(stem)?.[0]);
  return {
    path,
    name: name.replace(/^[-_]+|[-_]+$/g, '') || title,
    titles: [title],
    date: date ?? fileDate,
    addresses: isDraft
      ? []
      : [...(canonical ? [addressOf(canonical)] : []), ...(id ? [`/p/${id}`] : [])].filter((each) => each !== '/'),
    author: person,
    ...extrasOf({
      hidden: [
        ...(isDraft ? ['it was a draft'] : []),
        ...(isAnswer ? ['it has no title of its own and looks like a response to another post'] : []),
      ],
      excerpt: subtitle && subtitle !== title ? subtitle : undefined,
    }),
  };
}

/** Returns true for a response to another post: it has no heading, and its title is the beginning of its text. */
function isResponse(body: Root, title: string): boolean {
  const hasTitle = elementsIn(body).some(
    ([element]) => hasClass(element, /^graf--title$/) || /^h[1-4]$/.test(element.tagName),
  );
  const begins = title.replace(/…$/, '').trim();
  return !hasTitle && plain(textIn(body)).startsWith(begins);
}

function textOf({ path, draft }: PostHead, html: string): PostText {
  const page = parsePage(html);
  const title = page.title || page.subtitle || path;
  const body = writeHtml(page.body ?? { type: 'root', children: [] });
  const read = readHtml(body, (tree, found) => prepareBody(tree, title, found));
  const cut = /<\/html>/i.test(html) ? [] : ['the file was cut short: the end of its HTML is missing'];
  const losses = [...cut, ...read.losses];
  return { path, title, ...read, losses, source: JSON.stringify([title, page.date, draft, body]) };
}
