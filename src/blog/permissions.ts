/** Permissions of posts and their files. The backend enforces them; a post's `userId` is only for display. */

import type { Post, PostStatus } from './post.ts';

/** Returns Appwrite's permission strings: only the author may change the post, or read it while it is inactive. */
export function postPermissions(status: PostStatus, userId: string): string[] {
  const author = `user:${userId}`;
  const reader = status === 'active' ? 'any' : author;
  return [`read("${reader}")`, `update("${author}")`, `delete("${author}")`];
}

export const filePermissions = postPermissions;

/**
 * Returns true if the user named in `userId` lacks update permission. Anyone may write any `userId`, but users cannot
 * grant permissions to others, so only this permission proves the author. Forgeries are not listed and show no author.
 */
export function isForgery(post: Pick<Post, 'userId' | 'permissions'>): boolean {
  return !post.permissions.includes(`update("user:${post.userId}")`);
}

/** Returns true for a read permission granted to more than one user: the public, everyone signed in, or a team. */
export const isSharedRead = (permission: string): boolean => /^read\("(?!user:)/.test(permission);

/** Returns true if users other than the author may read the post, regardless of its status. */
export const isShared = ({ permissions }: Pick<Post, 'permissions'>): boolean => permissions.some(isSharedRead);
