/**
 * Reads active posts by cursor, newest first, until the list ends. Appwrite's `total` stops at 5000 (contract 2.3), so
 * it cannot tell how many posts there are.
 */

import { type Databases, Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import { countBeyondLimit } from '../count-beyond-limit.ts';
import type { ArticleDocument } from '../document.ts';
import { listInParts } from '../list-in-parts.ts';

export interface Articles {
  readonly databases: Databases;
  readonly databaseId: string;
  readonly collectionId: string;
}

/** Selects posts by author, by tag slug, or by period (ISO dates; `until` is exclusive). */
export interface PostFilter {
  /** Includes pages, which lists of posts leave out. */
  readonly withPages?: true;
  readonly tag?: string;
  readonly userId?: string;
  readonly from?: string;
  readonly until?: string;
}

/** Documents per request, about 300 bytes each. */
const STEP = 1000;

/** Returns the queries for active posts, newest first, by author and period. Ignores the filter's other fields. */
export const newestFirst = ({ userId, from, until }: PostFilter = {}): string[] => [
  Query.equal('status', 'active'),
  ...(userId === undefined ? [] : [Query.equal('userId', userId)]),
  ...(from === undefined ? [] : [Query.greaterThanEqual('$createdAt', from)]),
  ...(until === undefined ? [] : [Query.lessThan('$createdAt', until)]),
  Query.orderDesc('$createdAt'),
];

/** Returns the query that leaves out pages; none for a backend without the `kind` field, which cannot store pages. */
export const withoutPages = (fields: readonly string[]): string[] =>
  fields.includes('kind') ? [Query.isNull('kind')] : [];

/** Yields posts as `read` returns them; ignores `among.tag`. Continues if the post at the cursor has left the list. */
export async function* walk<Listed extends { readonly id: string }>(
  { databases, ...place }: Articles,
  among: PostFilter,
  fields: readonly string[],
  read: (document: ArticleDocument) => Listed,
): AsyncGenerator<Listed> {
  const kinds = among.withPages ? [] : withoutPages(fields);
  const asked = [...newestFirst(among), ...kinds, Query.select([...fields])];
  const ask = (cursor: string[]) =>
    listInParts(async (limit, offset) => {
      const queries = [...asked, ...cursor, Query.limit(limit), Query.offset(offset)];
      return (await databases.listDocuments({ ...place, queries, total: false })).documents.map(read);
    }, STEP);
  let last: readonly Listed[] = [];
  for (;;) {
    const known = new Set(last.map(({ id }) => id));
    const posts = await behind(last, ask);
    for (const post of posts) if (!known.has(post.id)) yield post;
    if (posts.length < STEP) return;
    last = posts;
  }
}

/** Returns the posts after the last of `posts` that is still listed, or the first posts if none of them is. */
async function behind<Listed extends { readonly id: string }>(
  posts: readonly Listed[],
  ask: (cursor: string[]) => Promise<readonly Listed[]>,
): Promise<readonly Listed[]> {
  for (const { id } of posts.toReversed()) {
    try {
      return await ask([Query.cursorAfter(id)]);
    } catch (error) {
      if (faultOf(error).type !== 'general_cursor_not_found') throw error;
    }
  }
  return ask([]);
}

export function countOf({ databases, ...place }: Articles, kinds: readonly string[]): Promise<number> {
  return countBeyondLimit(async (cursor, offset, limit) => {
    const behindIt = cursor === undefined ? [] : [Query.cursorAfter(cursor)];
    const asked = [...newestFirst(), ...kinds, ...behindIt];
    const queries = [...asked, Query.select(['$id']), Query.offset(offset), Query.limit(limit)];
    return (await databases.listDocuments({ ...place, queries, total: false })).documents;
  });
}
