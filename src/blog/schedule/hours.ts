/** The hours that are set for a post: which of them count with its status, and which cannot be kept. */

import type { PostStatus } from '../post.ts';

interface Scheduled {
  readonly status: PostStatus;
  /** ISO dates; empty or absent where none is set. */
  readonly publishAt?: string | undefined;
  readonly unpublishAt?: string | undefined;
}

/** The hours that count: an active post waits for no publication, and one that nothing will publish for no taking down. */
export function hoursOf({ status, publishAt = '', unpublishAt = '' }: Scheduled) {
  const isPublished = status === 'active';
  return { publishAt: isPublished ? '' : publishAt, unpublishAt: isPublished || publishAt ? unpublishAt : '' };
}

/** True of an hour that counts and is not ahead: nothing would come of it. */
export function hasPassed(post: Scheduled, name: 'publishAt' | 'unpublishAt', now = Date.now()): boolean {
  return Date.parse(hoursOf(post)[name]) <= now;
}

/** True when a post would be taken down before it is published. */
export function isBackwards(post: Scheduled): boolean {
  const { publishAt, unpublishAt } = hoursOf(post);
  return Date.parse(unpublishAt) <= Date.parse(publishAt);
}
