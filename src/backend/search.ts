/** Full-text search among active posts: the words in titles first, then in texts. */

import { Query } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import type { Post } from '#blog/post.ts';
import { postOf } from './document.ts';
import { type Articles, newestFirst } from './posts-in-order.ts';

/** Posts that are read to be ranked: their texts come along. */
const CANDIDATES = 24;

/** Posts that hold all of `words`, each by its beginning: those with all of them in the title first, newest first. */
export async function search({ databases, ...place }: Articles, words: readonly string[]): Promise<Post[]> {
  const found = async (queries: string[]) => {
    const asked = [...newestFirst(), ...queries, Query.limit(CANDIDATES)];
    return (await databases.listDocuments({ ...place, queries: [...asked, Query.select(['$id'])], total: false }))
      .documents;
  };
  const [titled, holding] = await Promise.all([
    found(words.map((word) => Query.search('title', word))),
    found(words.map((word) => Query.or([Query.search('title', word), Query.search('content', word)]))),
  ]);
  const ids = [...new Set([...titled, ...holding].map(({ $id }) => $id))].slice(0, CANDIDATES);
  if (ids.length === 0) return [];
  const queries = [...newestFirst(), Query.equal('$id', ids), Query.limit(CANDIDATES)];
  const { documents } = await databases.listDocuments({ ...place, queries, total: false });
  const posts = new Map(documents.map((document) => [document.$id, postOf(document)]));
  return ids.flatMap((id) => posts.get(id) ?? []).filter((post) => !isForgery(post));
}
