/** Deletes the former versions of a deleted post, and the copies of their pictures. */

import { Query } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';
import type { ArticleDocument } from '../document.ts';
import { keptPictureId } from '../revision-ids.ts';
import type { ServerTarget } from '../target.ts';
import { postDocument, type Reach, reach } from './reach.ts';

/** Requests per post: a backend may delete a part at a time. */
const MOST_REQUESTS = 20;
/** More than the number of versions kept of a post. */
const PICTURES_PAGE = 200;

/** Deletes the former versions of the post `slug` if the post is gone. Returns their number. */
export function dropVersions(target: ServerTarget, slug: string): Promise<number> {
  return dropVersionsOf(reach(target), slug);
}

export async function dropVersionsOf(backend: Reach, slug: string): Promise<number> {
  const { mayBeMissing: _, ...place } = backend.revisions;
  const pictures = await picturesOf(backend, slug);
  let dropped = 0;
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    // Checked each time: the slug may be used again.
    if (await postDocument(backend, slug, ['$id'])) break;
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
  if (dropped > 0) for (const fileId of pictures) await dropCopy(backend, fileId);
  return dropped;
}

async function picturesOf({ databases, revisions }: Reach, slug: string): Promise<ReadonlySet<string>> {
  const { mayBeMissing: _, ...place } = revisions;
  const queries = [Query.equal('postId', slug), Query.select(['featuredImage']), Query.limit(PICTURES_PAGE)];
  try {
    const { documents } = await databases.listDocuments({ ...place, queries, total: false });
    return new Set(documents.map(({ featuredImage }: ArticleDocument) => `${featuredImage ?? ''}`).filter(Boolean));
  } catch (error) {
    if (faultOf(error).type === 'collection_not_found') return new Set();
    throw error;
  }
}

/** Deletes the copy of a replaced picture, unless another version names the picture. */
async function dropCopy({ databases, storage, revisions, bucketId }: Reach, fileId: string): Promise<void> {
  const { mayBeMissing: _, ...place } = revisions;
  const queries = [Query.equal('featuredImage', fileId), Query.select(['$id']), Query.limit(1)];
  try {
    if ((await databases.listDocuments({ ...place, queries, total: false })).documents.length > 0) return;
    await storage.deleteFile({ bucketId, fileId: keptPictureId(fileId) });
  } catch (error) {
    // Most pictures were never replaced.
    if (faultOf(error).type !== 'storage_file_not_found') throw error;
  }
}
