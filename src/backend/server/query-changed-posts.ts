/** Finds changed posts in a backend that sends no events (docs/decisions/010-what-a-write-invalidates.md). */

import { Databases, Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { ArticleDocument } from '../document.ts';
import type { PublicReaderOptions } from '../server.ts';
import { walk } from './posts-in-order.ts';
import { ReadingClient } from './reading-client.ts';

export interface ChangedPost {
  readonly id: string;
  /** ISO date from the backend's clock. */
  readonly updatedAt: string;
  readonly isActive: boolean;
}

export type PostChanges = ReturnType<typeof createPostChanges>;

const changedPost = ({ $id, $updatedAt, status }: ArticleDocument): ChangedPost => ({
  id: $id,
  updatedAt: $updatedAt,
  isActive: status === 'active',
});

const FIELDS = ['$id', '$updatedAt', 'status'];
const STEP = 100;

/**
 * `since` uses the server key, so that it also finds posts that are no longer public. Without a key, or if the key may
 * not read documents, it reads as a guest. Both methods throw the SDK's error.
 */
export function createPostChanges({ apiKey, ...options }: PublicReaderOptions) {
  const { databaseId, collectionId } = options;
  const client = () => new ReadingClient(options.portNow).setEndpoint(options.endpoint).setProject(options.projectId);
  const asGuest = new Databases(client());
  let databases = apiKey ? new Databases(client().setKey(apiKey)) : asGuest;

  async function list(queries: readonly string[]): Promise<ChangedPost[]> {
    const asked = { databaseId, collectionId, queries: [...queries, Query.select(FIELDS)], total: false };
    try {
      return (await databases.listDocuments(asked)).documents.map(changedPost);
    } catch (error) {
      if (databases === asGuest || faultOf(error).code !== 401) throw error;
      databases = asGuest;
      return list(queries);
    }
  }

  return {
    /** Returns posts written at `since` or later, earliest first; without `since`, the post written last. */
    async since(since?: string): Promise<ChangedPost[]> {
      if (since === undefined) return list([Query.orderDesc('$updatedAt'), Query.limit(1)]);
      const found: ChangedPost[] = [];
      for (;;) {
        const part = await list([
          Query.greaterThanEqual('$updatedAt', since),
          Query.orderAsc('$updatedAt'),
          Query.limit(STEP),
          Query.offset(found.length),
        ]);
        found.push(...part);
        if (part.length < STEP) return found;
      }
    },

    /** Returns the ids of all public posts and pages. */
    async publicIds(): Promise<Set<string>> {
      const articles = { databases: asGuest, databaseId, collectionId };
      const posts = await Array.fromAsync(walk(articles, {}, ['$id'], ({ $id }) => ({ id: $id })));
      return new Set(posts.map(({ id }) => id));
    },
  };
}
