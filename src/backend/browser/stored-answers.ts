/** Reads the backend's responses that the service worker has stored. */

import type { Post } from '#blog/post.ts';
import { type ArticleDocument, postOf } from '../document.ts';
import { collectionIds, connect } from './client.ts';

/** Returns the stored copy of a post; undefined if nothing is stored. */
export async function storedPost(slug: string): Promise<Post | undefined> {
  const { databaseId, collectionId } = collectionIds();
  const address = `${connect().client.config.endpoint}/databases/${databaseId}/collections/${collectionId}/documents/${slug}`;
  const stored = await caches.match(address, { ignoreSearch: true, ignoreVary: true });
  return stored && postOf((await stored.json()) as ArticleDocument);
}
