/** What the three feeds say: the newest posts with their whole text. */

import { portable } from '../content/portable.ts';
import { excerpt } from '../content/text.ts';
import type { Post } from '../post.ts';
import type { Site } from '../site.ts';
import { absolute, authorPath, postPath, sharePicture } from './addresses.ts';

export const FEED_POSTS = 24;

/** Where they are; the first is the one most readers know. */
export const FEEDS = [
  { path: '/feed.xml', type: 'application/rss+xml', name: 'RSS' },
  { path: '/atom.xml', type: 'application/atom+xml', name: 'Atom' },
  { path: '/feed.json', type: 'application/feed+json', name: 'JSON Feed' },
] as const;
export type FeedPath = (typeof FEEDS)[number]['path'];

export interface FeedItem {
  readonly url: string;
  readonly title: string;
  /** Empty for a text without words, such as a picture alone: the feeds leave it out then. */
  readonly summary: string;
  /** The whole text; every address in it is absolute. */
  readonly html: string;
  /** Absolute; undefined when the post has no picture. */
  readonly image: string | undefined;
  /** ISO dates. */
  readonly published: string;
  readonly updated: string;
  /** The site's where the author's is not known. */
  readonly author: string;
  readonly authorUrl: string;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  readonly home: string;
  /** Its own address. */
  readonly self: string;
  /** Address of the WebSub hub that tells its readers of news. */
  readonly hub?: string | undefined;
  /** ISO date of the last change. */
  readonly updated: string;
  readonly items: readonly FeedItem[];
}

/** The date of a feed without a post. */
const NEVER = '1970-01-01T00:00:00.000+00:00';

/** Each text takes its time; whoever else waits for this thread comes in between. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param authors names by id @param hub address of a WebSub hub */
export async function feedOf(
  site: Site,
  path: FeedPath,
  posts: readonly Post[],
  authors: ReadonlyMap<string, string>,
  hub?: string,
): Promise<Feed> {
  const items: FeedItem[] = [];
  for (const post of posts) {
    const url = absolute(site, postPath(post.id));
    items.push({
      url,
      title: post.title,
      summary: excerpt(post.content, 300),
      html: portable(post.content, url),
      image: post.featuredImage ? sharePicture(site, post) : undefined,
      published: post.createdAt,
      updated: post.updatedAt,
      author: authors.get(post.userId) || site.name,
      authorUrl: absolute(site, authorPath(post.userId)),
    });
    await turn();
  }
  return {
    title: site.name,
    description: site.tagline,
    home: absolute(site, '/'),
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
