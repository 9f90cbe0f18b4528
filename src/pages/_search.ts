/** Finds posts by words, using the backend's index, and by tag, using the list of all posts. */
import type { PublicReader } from '#backend/server.ts';
import type { Post } from '#blog/post.ts';
import { RESULTS_PER_PAGE, type SearchTerms } from '#blog/search/query.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';
import { hasTag } from '#blog/tags/tags.ts';

/** Maximum number of the backend's result pages to filter by tag; the backend itself cannot filter them by tag. */
const LOOKED_THROUGH = 10;

export async function findPosts(
  reader: Pick<PublicReader, 'everyPost' | 'post' | 'search'>,
  { tags, words }: SearchTerms,
  page: number,
): Promise<{ posts: Post[]; isMore: boolean }> {
  const slugs = tags.map(tagSlug);
  const [first] = slugs;
  if (first === undefined) return words.length === 0 ? { posts: [], isMore: false } : reader.search(words, page);
  const tagged = slugs.includes('') ? [] : await reader.everyPost({ tag: first });
  const ids = tagged.filter((post) => slugs.every((slug) => hasTag(post, slug))).map(({ id }) => id);
  const begin = (page - 1) * RESULTS_PER_PAGE;
  const end = begin + RESULTS_PER_PAGE;
  if (words.length === 0) {
    const posts = await Promise.all(ids.slice(begin, end).map((id) => reader.post(id)));
    return { posts: posts.flatMap((post) => post ?? []), isMore: ids.length > end };
  }
  const among = new Set(ids);
  const posts: Post[] = [];
  for (let n = 1; n <= LOOKED_THROUGH && posts.length <= end && among.size > 0; n += 1) {
    const found = await reader.search(words, n);
    posts.push(...found.posts.filter(({ id }) => among.has(id)));
    if (!found.isMore) break;
  }
  return { posts: posts.slice(begin, end), isMore: posts.length > end };
}
