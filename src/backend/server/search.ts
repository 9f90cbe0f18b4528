/** Full-text search of active posts. Matches in the title come before matches in the text. */

import { Query } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
import { RESULTS_PER_PAGE } from '#blog/search/query.ts';
import { postOf } from '../document.ts';
import { listInParts } from '../list-in-parts.ts';
import { type Articles, newestFirst } from './posts-in-order.ts';

export interface SearchPage {
  readonly posts: Post[];
  readonly isMore: boolean;
}

/**
 * Returns the n-th page (from 1) of the posts that contain, for each of `words`, a word beginning with it. Posts that
 * match all of them in the title come first; both groups are sorted newest first.
 */
export async function search(
  { databases, ...place }: Articles,
  words: readonly string[],
  page = 1,
): Promise<SearchPage> {
  const before = (page - 1) * RESULTS_PER_PAGE;
  const end = before + RESULTS_PER_PAGE;
  const found = async (queries: string[]) => {
    const asked = [...newestFirst(), ...queries, Query.limit(end + 1)];
    return (await databases.listDocuments({ ...place, queries: [...asked, Query.select(['$id'])], total: false }))
      .documents;
  };
  const [titled, holding] = await Promise.all([
    found(words.map((word) => Query.search('title', word))),
    found(words.map((word) => Query.or([Query.search('title', word), Query.search('content', word)]))),
  ]);
  const all = [...new Set([...titled, ...holding].map(({ $id }) => $id))];
  const [ids, isMore] = [all.slice(before, end), all.length > end];
  if (ids.length === 0) return { posts: [], isMore };
  const asked = [...newestFirst(), Query.equal('$id', ids)];
  const listed = await listInParts(async (limit, offset) => {
    const queries = [...asked, Query.limit(limit), Query.offset(offset)];
    return (await databases.listDocuments({ ...place, queries, total: false })).documents.map(postOf);
  }, RESULTS_PER_PAGE);
  const posts = new Map(listed.map((post) => [post.id, post]));
  return { posts: ids.flatMap((id) => posts.get(id) ?? []).filter((post) => !isForgery(post)), isMore };
}
