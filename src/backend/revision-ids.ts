/** Ids of what is kept of former versions: the same for the same thing, so that keeping it twice keeps one. */

import type { Post } from '#blog/post.ts';

/** Another for any other version: its moment, and a mark of its post. */
export function revisionId({ id, updatedAt }: Pick<Post, 'id' | 'updatedAt'>): string {
  return `${Date.parse(updatedAt).toString(36)}-${markOf(id)}`;
}

/** Of the copy of a featured image that was replaced: its own file is deleted, versions go on naming it. */
export const keptPictureId = (fileId: string): string => `${KEPT}${markOf(fileId)}`;

/** Nothing but a former version has a use for such a file. */
export const isKeptPicture = (fileId: string): boolean => fileId.startsWith(KEPT);

const KEPT = 'former-';

/** 64 bits of FNV-1a, which needs no secure context as the browser's own digests do. */
function markOf(words: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(words)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
