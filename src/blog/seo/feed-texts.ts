/** Renders the newest posts' texts for feeds. Each version of a post is rendered once and shared by all feeds. */

import { LRUCache } from 'lru-cache';
import type { FeedText, TextTasks } from '../content/text-tasks.ts';
import type { Post, PostSummary } from '../post.ts';
import { postPath } from '../routes/paths.ts';

/** Maximum number of cached texts, twice the number in a feed. Each text has at most `FEED_TEXT_MOST` bytes. */
const KEPT = 48;

export interface FeedTexts {
  /** Returns the post's text for feeds; undefined if the post no longer exists. Rethrows the errors of `read`. */
  of(post: PostSummary): Promise<FeedText | undefined>;
}

interface FeedTextsOptions {
  readonly siteUrl: string;
  readonly tasks: Pick<TextTasks, 'forFeed'>;
  readonly read: (id: string) => Promise<Post | undefined>;
}

export function createFeedTexts({ siteUrl, tasks, read }: FeedTextsOptions): FeedTexts {
  /** Cached texts by post id. Concurrent requests share a text that is still being rendered. */
  const kept = new LRUCache<string, { version: string; text: Promise<FeedText | undefined> }>({ max: KEPT });

  async function make({ id, updatedAt }: PostSummary): Promise<FeedText | undefined> {
    const post = await read(id);
    // If the post has changed since the summary was read, its text is returned but not cached.
    if (post?.updatedAt !== updatedAt) kept.delete(id);
    return post && tasks.forFeed(post.content, siteUrl + postPath(id));
  }

  return {
    of(post) {
      const known = kept.get(post.id);
      const text = known?.version === post.updatedAt ? known.text : make(post);
      kept.set(post.id, { version: post.updatedAt, text });
      text.catch(() => kept.delete(post.id));
      return text;
    },
  };
}
