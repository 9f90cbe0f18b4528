/** Deletes the leftovers of a deleted post: its earlier versions, the copies of their pictures and its sync records. */

import { Query } from 'node-appwrite';
import type { ArticleDocument } from '../document.ts';
import { type Collection, type KeyedBackend, keyedBackend, postDocument } from '../keyed-backend.ts';
import { keptPictureId } from '../revision-ids.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

/** Maximum number of delete requests per post and collection: one request may delete only some of the documents. */
const MOST_REQUESTS = 20;
/** Maximum number of versions read per post to find their pictures. The site keeps fewer versions of each post. */
const PICTURES_PAGE = 200;

/**
 * Deletes the earlier versions and the sync records of the post `slug` if the post no longer exists. Returns how many
 * of these documents it deleted.
 */
export function dropVersions(target: ServerTarget, slug: string): Promise<number> {
  return dropVersionsOf(keyedBackend(target), slug);
}

export async function dropVersionsOf(backend: KeyedBackend, slug: string): Promise<number> {
  const pictures = await picturesOf(backend, slug);
  const dropped = await dropDocumentsOf(backend, backend.revisions, slug);
  if (dropped > 0) for (const fileId of pictures) await dropCopy(backend, fileId);
  return dropped + (await dropDocumentsOf(backend, backend.syncedFiles, slug));
}

async function dropDocumentsOf(backend: KeyedBackend, place: Collection, slug: string): Promise<number> {
  let dropped = 0;
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    // Checks again before each request, because a new post may take the slug.
    if (await postDocument(backend, slug, ['$id'])) break;
    const queries = [Query.equal('postId', slug)];
    const gone = await unless('collection_not_found', backend.databases.deleteDocuments({ ...place, queries }));
    if (!gone || gone.total === 0) break;
    dropped += gone.total;
  }
  return dropped;
}

async function picturesOf({ databases, revisions: place }: KeyedBackend, slug: string): Promise<ReadonlySet<string>> {
  const queries = [Query.equal('postId', slug), Query.select(['featuredImage']), Query.limit(PICTURES_PAGE)];
  const list = await unless('collection_not_found', databases.listDocuments({ ...place, queries, total: false }));
  const ids = list?.documents.map(({ featuredImage }: ArticleDocument) => `${featuredImage ?? ''}`) ?? [];
  return new Set(ids.filter(Boolean));
}

/** Deletes the copy of a replaced picture, unless another version references the picture. */
async function dropCopy(
  { databases, storage, revisions: place, bucketId }: KeyedBackend,
  fileId: string,
): Promise<void> {
  const queries = [Query.equal('featuredImage', fileId), Query.select(['$id']), Query.limit(1)];
  if ((await databases.listDocuments({ ...place, queries, total: false })).documents.length > 0) return;
  // Most pictures were never replaced, so they have no copy.
  await unless('storage_file_not_found', storage.deleteFile({ bucketId, fileId: keptPictureId(fileId) }));
}
