/** Former versions of a post that is gone: their author can no longer reach them. */

import { Query } from 'node-appwrite';
import { faultOf } from '#blog/messages.ts';
import { type Reach, reach, type SweepTarget } from './target.ts';

/** Requests for one post: a backend may delete a part at a time. */
const MOST_REQUESTS = 20;

/**
 * Deletes the former versions of the post `slug`, if there is no such post, in one request or a few, whatever the
 * limit of deletions is for browsers. Gives how many there were.
 */
export function dropVersions(target: SweepTarget, slug: string): Promise<number> {
  return dropVersionsOf(reach(target), slug);
}

export async function dropVersionsOf(backend: Reach, slug: string): Promise<number> {
  const { mayBeMissing: _, ...place } = backend.revisions;
  let dropped = 0;
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    // Asked each time: a post may be made under that name again.
    if (await exists(backend, slug)) break;
    const queries = [Query.equal('postId', slug)];
    try {
      const { total } = await backend.databases.deleteDocuments({ ...place, queries });
      dropped += total;
      if (total === 0) break;
    } catch (error) {
      if (faultOf(error).type === 'collection_not_found') break;
      throw error;
    }
  }
  return dropped;
}

/** A 404 of another kind says that the collection is not there, which is no reason to delete anything. */
async function exists({ databases, articles }: Reach, documentId: string): Promise<boolean> {
  const { mayBeMissing: _, ...place } = articles;
  try {
    await databases.getDocument({ ...place, documentId, queries: [Query.select(['$id'])] });
    return true;
  } catch (error) {
    if (faultOf(error).type === 'document_not_found') return false;
    throw error;
  }
}
