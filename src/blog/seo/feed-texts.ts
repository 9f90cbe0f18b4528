/** The texts of the newest posts as feeds carry them: made once for each version of a post, for all feeds. */

import type { FeedText, TextTasks } from '../content/text-tasks.ts';
import type { Post, PostSummary } from '../post.ts';
import { postPath } from '../routes/paths.ts';

/** Posts that feeds show, and as many that went off their end: each text has `FEED_TEXT_MOST` bytes at most. */
const KEPT = 48;

export interface FeedTexts {
  /** Undefined when the post is not there any more. Throws what `read` does. */
  of(post: PostSummary): Promise<FeedText | undefined>;
}

interface FeedTextsOptions {
  readonly siteUrl: string;
  readonly tasks: Pick<TextTasks, 'forFeed'>;
  /** Gives a post with its text. */
  readonly read: (id: string) => Promise<Post | undefined>;
}

export function createFeedTexts({ siteUrl, tasks, read }: FeedTextsOptions): FeedTexts {
  /** By post, the one that was longest not asked for first. Those that are being made are shared, too. */
  const kept = new Map<string, { readonly version: string; readonly text: Promise<FeedText | undefined> }>();

  async function make({ id, updatedAt }: PostSummary): Promise<FeedText | undefined> {
    const post = await read(id);
    // A text of another version is shown once and not kept.
    if (post?.updatedAt !== updatedAt) kept.delete(id);
    return post && tasks.forFeed(post.content, siteUrl + postPath(id));
  }

  return {
    of(post) {
      const known = kept.get(post.id);
      kept.delete(post.id);
      const text = known?.version === post.updatedAt ? known.text : make(post);
      kept.set(post.id, { version: post.updatedAt, text });
      text.catch(() => kept.delete(post.id));
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return text;
    },
  };
}
