/**
 * Makes public pictures private if no published post shows them. Such pictures remain if an author's browser is
 * interrupted while unpublishing a post.
 */

import { type Models, Query } from 'node-appwrite';
import {
  type BackendServices,
  documentsOf,
  fileAt,
  filesNamedIn,
  genuinePostAt,
  keyedBackend,
  naming,
} from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { unless } from '../unless.ts';

const EVERYBODY = 'read("any")';

export const isExposed = ({ $permissions }: Pick<Models.File, '$permissions'>): boolean =>
  $permissions.includes(EVERYBODY);

/**
 * Hides the pictures of the post `slug` if it is not published, and returns their ids. Skips pictures changed after the
 * post was last saved, because the author may be publishing the post, which makes its pictures public first.
 */
export async function hidePicturesOf(target: ServerTarget, slug: string): Promise<string[]> {
  const backend = keyedBackend(target);
  const post = await genuinePostAt(backend, slug);
  if (!post || post.status === 'active') return [];
  const hidden: string[] = [];
  for (const id of new Set([post.featuredImage, ...filesNamedIn(post.content)])) {
    const file = id && (await fileAt(backend, id));
    if (!file || !isExposed(file) || ownerOf(file) !== post.userId) continue;
    if (Date.parse(file.$updatedAt) > Date.parse(post.updatedAt)) continue;
    if (await hide(backend, file)) hidden.push(id);
  }
  return hidden;
}

/** Hides a picture if its file's `$updatedAt` is still `touched`. Returns true if it was hidden. */
export async function hideUntouched(backend: BackendServices, fileId: string, touched: string): Promise<boolean> {
  const file = await fileAt(backend, fileId);
  return file?.$updatedAt === touched && isExposed(file) && hide(backend, file);
}

/** Hides pictures that no published post shows; with `userId`, only that user's pictures. @throws the SDK's error */
export async function hideAll(backend: BackendServices, fileIds: Iterable<string>, userId?: string): Promise<void> {
  for (const fileId of fileIds) {
    const file = await fileAt(backend, fileId);
    if (file && isExposed(file) && (userId === undefined || ownerOf(file) === userId)) await hide(backend, file);
  }
}

/** Makes a picture private unless a published post shows it. Returns true if it is now private. */
export async function hide(backend: BackendServices, file: Models.File): Promise<boolean> {
  const { storage, bucketId } = backend;
  const owner = ownerOf(file);
  if (owner === undefined || (await isPublished(backend, file.$id))) return false;
  const others = file.$permissions.filter((each) => each !== EVERYBODY);
  const permissions = [...new Set([...others, `read("user:${owner}")`])];
  const changed = storage.updateFile({ bucketId, fileId: file.$id, permissions });
  return (await unless('storage_file_not_found', changed)) !== undefined;
}

/** Returns the user who may change the file; undefined for an operator's file. */
export function ownerOf({ $permissions }: Pick<Models.File, '$permissions'>): string | undefined {
  for (const each of $permissions) {
    const [, user] = /^update\("user:([^"/]+)"\)$/.exec(each) ?? [];
    if (user !== undefined) return user;
  }
  return undefined;
}

async function isPublished(backend: BackendServices, id: string): Promise<boolean> {
  const queries = [Query.equal('status', 'active'), naming(id), Query.limit(1)];
  return (await documentsOf(backend, backend.articles, ['$id'])(queries)).length > 0;
}
