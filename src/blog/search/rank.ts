/** The order of what a search found. */

import { textOf } from '../content/text.ts';
import type { Post } from '../post.ts';
import { hitsIn, marked, type Piece, snippet } from './marks.ts';

/** Results on the page. */
export const MOST_RESULTS = 20;
const SNIPPET = 220;

export interface Result {
  readonly post: Post;
  readonly title: readonly Piece[];
  /** Words around the first hit in the text, or its beginning. */
  readonly context: readonly Piece[];
}

/**
 * Posts that hold every word where readers see it: the backend also finds words of the markup. First those with most
 * of the words in the title, then those that hold them most often; among equals in the order given.
 */
export function ranked(posts: readonly Post[], words: readonly string[]): Result[] {
  const scored = posts.flatMap((post) => {
    const text = textOf(post.content);
    if (hitsIn(`${post.title}\n${text}`, words).words < words.length) return [];
    return [{ post, text, inTitle: hitsIn(post.title, words).words, times: hitsIn(text, words).times }];
  });
  return scored
    .toSorted((a, b) => b.inTitle - a.inTitle || b.times - a.times)
    .slice(0, MOST_RESULTS)
    .map(({ post, text }) => ({
      post,
      title: marked(post.title, words),
      context: snippet(text, words, SNIPPET),
    }));
}
