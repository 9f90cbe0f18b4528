/** Reads a feed that was saved as a file: RSS 0.9 to 2.0, Atom or JSON Feed. */

import { OperatorError } from '#blog/errors.ts';
import { addressOf, decoded, queryOf } from '../addresses.ts';
import type { Archive } from '../archive.ts';
import { type Collection, type NoPost, type PostHead, type PostText, readText } from '../document.ts';
import { extrasOf } from '../extras.ts';
import type { Format, OpenOptions } from '../format.ts';
import { plainTitle, readHtml } from '../html/read-html.ts';
import { createOldSite } from '../old-site.ts';
import { isPictureName } from '../pictures.ts';
import { reportFault } from '../read-xml.ts';
import { type FeedEntry, jsonEntries, xmlEntries } from './entries.ts';

export const feed: Format = {
  async matches({ names: [first, ...more], head }) {
    if (first === undefined || more.length > 0) return false;
    const text = (await head(first)).trimStart();
    return (
      /^\{[\s\S]*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org\\?\//.test(text) || /<(?:rss|feed|rdf:RDF)[\s>]/.test(text)
    );
  },
  open: openFeed,
};

async function openFeed(archive: Archive, options: OpenOptions): Promise<Collection> {
  const [file, ...more] = archive.names;
  if (!file || more.length > 0) throw new OperatorError(`${archive.path} is not a feed. Name a single file.`);
  const posts: PostHead[] = [];
  const others: NoPost[] = [];
  const sites = new Set<string>(options.oldSite ? [options.oldSite] : []);
  const seen = new Set<string>();
  let home: string | undefined;
  try {
    for await (const entry of entriesOf(archive, file)) {
      if (entry.kind === 'site') {
        if (!URL.canParse(entry.address)) continue;
        home ??= new URL(entry.address).href;
        sites.add(new URL(entry.address).origin);
        continue;
      }
      if (seen.has(entry.path)) continue;
      seen.add(entry.path);
      if (!entry.html.trim() && !entry.title.trim())
        others.push({ path: entry.path, reason: 'it has no text', failed: false });
      else posts.push(headOf(entry));
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    reportFault(posts, others, file, error);
  }
  const hosts = new Set([...sites].map((site) => new URL(site).host.replace(/^www\./, '')));
  const follow = createOldSite({
    ...options,
    sites: [...sites],
    posts,
    fileOf({ host, pathname, href }) {
      if (!hosts.has(host.replace(/^www\./, '')) || !isPictureName(pathname)) return undefined;
      return { path: decoded(pathname), candidates: [href] };
    },
  });
  return {
    origin: home,
    posts,
    others,
    follow,
    async *texts() {
      const left = new Map(posts.map((head) => [head.path, head]));
      try {
        for await (const entry of entriesOf(archive, file)) {
          const head = entry.kind === 'entry' ? left.get(entry.path) : undefined;
          if (entry.kind !== 'entry' || !head) continue;
          left.delete(entry.path);
          yield readText(entry.path, () => textOf(entry, head), options.longestMs);
        }
      } catch (error) {
        // Ignores OperatorErrors, because the first pass has already reported them.
        if (!(error instanceof OperatorError)) throw error;
      }
    },
  };
}

async function* entriesOf(archive: Archive, file: string): ReturnType<typeof xmlEntries> {
  const isJson = (await archive.head(file)).trimStart().startsWith('{');
  if (isJson) yield* jsonEntries(file, await archive.text(file));
  else yield* xmlEntries(archive, file);
}

function headOf({ path, title, link, date, updated, author, tags, image, language, excerpt }: FeedEntry): PostHead {
  const address = /^https?:\/\//.test(link) ? addressOf(link) + queryOf(link) : '/';
  const plain = plainTitle(title);
  const last = addressOf(link).split('/').at(-1);
  return {
    path,
    name: (address !== '/' && last) || plain || path,
    titles: [plain],
    date,
    updated,
    addresses: address === '/' ? [] : [address],
    image: image || undefined,
    author,
    ...extrasOf({ tags, language, excerpt: plainTitle(excerpt) }),
  };
}

function textOf({ path, title, html, isExcerpt, place }: FeedEntry, { draft }: PostHead): PostText {
  const read = readHtml(html);
  const words = read.words.slice(0, 8).map(({ word }) => word);
  const plain = plainTitle(title) || words.join(' ') || path;
  const cut = isExcerpt ? ['the feed has only a description, which may be just the beginning of the text'] : [];
  const source = JSON.stringify([title, html, draft]);
  return { path, place, title: plain, ...read, notes: [...cut, ...read.notes], source };
}
