/** Derives ids for former versions, so that saving the same version twice stores it once. */

import type { Post } from '#blog/post.ts';

export function revisionId({ id, updatedAt }: Pick<Post, 'id' | 'updatedAt'>): string {
  return `${Date.parse(updatedAt).toString(36)}-${markOf(id)}`;
}

/**
 * Returns the id for the copy of a replaced featured image. It is derived from the original id, which former versions
 * still contain.
 */
export const keptPictureId = (fileId: string): string => `${KEPT}${markOf(fileId)}`;

export const isKeptPicture = (fileId: string): boolean => fileId.startsWith(KEPT);

const KEPT = 'former-';

/** Returns a 64-bit FNV-1a hash. Unlike the browser's own digests, this needs no secure context. */
function markOf(words: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(words)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
