/** The order of what a search found. */

import type { TextTasks } from '../content/text-tasks.ts';
import type { Post } from '../post.ts';
import type { Match } from './match.ts';

export interface Result extends Match {
  readonly post: Post;
}

/**
 * Those of `posts` that hold every word where readers see it. First those with most of the words in the title, then
 * those that hold them most often; among equals in the order given.
 */
export async function ranked(
  posts: readonly Post[],
  words: readonly string[],
  tasks: Pick<TextTasks, 'match'>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const post of posts) {
    const match = await tasks.match(post.content, post.title, words);
    if (match) results.push({ post, ...match });
  }
  return results.toSorted((a, b) => b.inTitle - a.inTitle || b.times - a.times);
}
