/** The content of the three feeds: the newest posts, each with its full text or, if that is long, a summary. */

import { postText } from '../messages.ts';
import type { PostSummary } from '../post.ts';
import { ATOM_FEED, authorPath, HOME, JSON_FEED, postPath, RSS_FEED } from '../routes/paths.ts';
import type { Site } from '../site.ts';
import { tagsOfPost } from '../tags/tags.ts';
import { absolute, sharePicture } from './addresses.ts';
import type { FeedTexts } from './feed-texts.ts';
import { xml } from './xml.ts';

export const FEED_POSTS = 24;
/** Maximum total size of the full texts in one feed, in bytes. Posts beyond this limit include only a summary. */
const FEED_TEXTS_MOST = 1_000_000;

export const FEEDS = [
  { path: RSS_FEED, type: 'application/rss+xml', name: 'RSS' },
  { path: ATOM_FEED, type: 'application/atom+xml', name: 'Atom' },
  { path: JSON_FEED, type: 'application/feed+json', name: 'JSON Feed' },
] as const;
export type FeedPath = (typeof FEEDS)[number]['path'];

export interface FeedItem {
  readonly url: string;
  readonly title: string;
  /** Empty for a post without words, such as a single picture; the feeds then omit the summary. */
  readonly summary: string;
  /** The full text, or the summary with a link to the post. Contains only absolute URLs. */
  readonly html: string;
  readonly image: string | undefined;
  readonly published: string;
  readonly updated: string;
  readonly author: string;
  readonly authorUrl: string;
  readonly tags: readonly string[];
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  readonly home: string;
  readonly self: string;
  readonly hub?: string | undefined;
  readonly updated: string;
  readonly items: readonly FeedItem[];
}

const NEVER = '1970-01-01T00:00:00.000+00:00';

/** Returns the content of one feed. `authors` maps user ids to names; `hub` is the URL of a WebSub hub. */
export async function feedOf(
  site: Site,
  path: FeedPath,
  posts: readonly PostSummary[],
  texts: FeedTexts,
  authors: ReadonlyMap<string, string>,
  hub?: string,
): Promise<Feed> {
  const items: FeedItem[] = [];
  let left = FEED_TEXTS_MOST;
  // Requests the texts in parallel, because sequential requests would each wait behind pages that are being rendered.
  const found = await Promise.all(posts.map(async (post) => ({ post, text: await texts.of(post) })));
  for (const { post, text } of found) {
    if (!text) continue;
    const url = absolute(site, postPath(post.id));
    left -= text.html === undefined ? 0 : Buffer.byteLength(text.html);
    const summary = post.excerpt || text.summary;
    items.push({
      url,
      title: post.title,
      summary,
      html: text.html !== undefined && left >= 0 ? text.html : beginning(summary, url),
      image: post.featuredImage ? sharePicture(site, post) : undefined,
      published: post.createdAt,
      updated: post.updatedAt,
      author: authors.get(post.userId) || site.name,
      authorUrl: absolute(site, authorPath(post.userId)),
      tags: tagsOfPost(post).map(({ name }) => name),
    });
  }
  return {
    title: site.name,
    description: site.tagline,
    home: absolute(site, HOME),
    self: absolute(site, path),
    hub,
    updated:
      items
        .map(({ updated }) => updated)
        .toSorted()
        .at(-1) ?? NEVER,
    items,
  };
}

const beginning = (summary: string, url: string): string =>
  `${summary && `<p>${xml(summary)}</p>`}<p><a href="${xml(url)}">${xml(postText.readMore)}</a></p>`;
