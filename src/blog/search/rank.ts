import type { TextTasks } from '../content/text-tasks.ts';
import type { Post } from '../post.ts';
import type { Match } from './match.ts';

export interface Result extends Match {
  readonly post: Post;
}

/**
 * Returns the posts that contain every word in the title or visible text, sorted by how many of the words the title
 * contains, then by occurrences in the text. Posts that rank equally keep their order.
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
