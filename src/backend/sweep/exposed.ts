/**
 * Pictures that everybody may see although no published post shows them: their post was taken back, and its author's
 * browser could not finish what belongs to that. They become their owner's alone, as the post is.
 */

import { type Models, Query } from 'node-appwrite';
import { isForgery } from '#blog/permissions.ts';
import { postOf } from '../document.ts';
import type { ServerTarget } from '../target.ts';
import { fileAt, filesNamedIn, naming, postDocument, type Reach, reach, unless } from './reach.ts';

const EVERYBODY = 'read("any")';

export const isExposed = ({ $permissions }: Pick<Models.File, '$permissions'>): boolean =>
  $permissions.includes(EVERYBODY);

/**
 * Hides what the post `slug` shows, if it is there and not published. A picture that was shared after the post was last
 * written stays: the post is being published. Gives the ids of the pictures that were hidden.
 */
export async function hidePicturesOf(target: ServerTarget, slug: string): Promise<string[]> {
  const backend = reach(target);
  const document = await postDocument(backend, slug);
  const post = document && postOf(document);
  if (!post || post.status === 'active' || isForgery(post)) return [];
  const hidden: string[] = [];
  for (const id of new Set([post.featuredImage, ...filesNamedIn(post.content)])) {
    const file = id && (await fileAt(backend, id));
    if (!file || !isExposed(file) || ownerOf(file) !== post.userId) continue;
    if (Date.parse(file.$updatedAt) > Date.parse(post.updatedAt)) continue;
    if (await hide(backend, file)) hidden.push(id);
  }
  return hidden;
}

/** Hides a picture of which nobody touched the permissions since `touched`. True when it was done. */
export async function hideUntouched(backend: Reach, fileId: string, touched: string): Promise<boolean> {
  const file = await fileAt(backend, fileId);
  return file?.$updatedAt === touched && isExposed(file) && hide(backend, file);
}

/** Hides pictures, of `userId` alone where it is given, but for those that a published post shows. @throws the SDK's error. */
export async function hideAll(backend: Reach, fileIds: Iterable<string>, userId?: string): Promise<void> {
  for (const fileId of fileIds) {
    const file = await fileAt(backend, fileId);
    if (file && isExposed(file) && (userId === undefined || ownerOf(file) === userId)) await hide(backend, file);
  }
}

/** Makes a picture its owner's alone, unless a published post shows it. True when it was done. */
export async function hide(backend: Reach, file: Models.File): Promise<boolean> {
  const { storage, bucketId } = backend;
  const owner = ownerOf(file);
  if (owner === undefined || (await isPublished(backend, file.$id))) return false;
  const others = file.$permissions.filter((each) => each !== EVERYBODY);
  const permissions = [...new Set([...others, `read("user:${owner}")`])];
  const changed = storage.updateFile({ bucketId, fileId: file.$id, permissions });
  return (await unless('storage_file_not_found', changed)) !== undefined;
}

/** The owner: the user who may change it. A file that an operator put there has none. */
export function ownerOf({ $permissions }: Models.File): string | undefined {
  for (const each of $permissions) {
    const [, user] = /^update\("user:([^"/]+)"\)$/.exec(each) ?? [];
    if (user !== undefined) return user;
  }
  return undefined;
}

async function isPublished(
  { databases, articles: { mayBeMissing: _, ...place } }: Reach,
  id: string,
): Promise<boolean> {
  const queries = [Query.equal('status', 'active'), naming(id), Query.select(['$id']), Query.limit(1)];
  return (await databases.listDocuments({ ...place, queries, total: false })).documents.length > 0;
}
