/** Permissions to read and change a post and its files. The backend enforces it; `userId` is only for show (product.md). */

import type { Post, PostStatus } from './post.ts';

/** A post's permissions, in Appwrite's words: anyone reads an active post, its author alone an inactive one and changes either. */
export function postPermissions(status: PostStatus, userId: string): string[] {
  const author = `user:${userId}`;
  const reader = status === 'active' ? 'any' : author;
  return [`read("${reader}")`, `update("${author}")`, `delete("${author}")`];
}

/** A file's permissions are those of the post that shows it. */
export const filePermissions = postPermissions;

/**
 * True for a document whose `userId` is not the user its permissions name. Anyone may write any `userId`, but nobody
 * can give update rights to another user: that is what proves the author. Forgeries are not listed and show no author.
 */
export function isForgery(post: Pick<Post, 'userId' | 'permissions'>): boolean {
  return !post.permissions.includes(`update("user:${post.userId}")`);
}

/** True for a permission by which others than one user may read: the public, everyone signed in, a team. */
export const isSharedRead = (permission: string): boolean => /^read\("(?!user:)/.test(permission);

/** True for a post that others than its author may read. A draft is its author's alone, whatever its status says. */
export const isShared = ({ permissions }: Pick<Post, 'permissions'>): boolean => permissions.some(isSharedRead);
