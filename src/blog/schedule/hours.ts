import type { PostStatus } from '../post.ts';

interface Scheduled {
  readonly status: PostStatus;
  readonly publishAt?: string | undefined;
  readonly unpublishAt?: string | undefined;
}

/**
 * Returns the scheduled times that apply: `publishAt` only to an inactive post, `unpublishAt` only to an active or
 * scheduled one.
 */
export function hoursOf({ status, publishAt = '', unpublishAt = '' }: Scheduled) {
  const isPublished = status === 'active';
  return { publishAt: isPublished ? '' : publishAt, unpublishAt: isPublished || publishAt ? unpublishAt : '' };
}

export function hasPassed(post: Scheduled, name: 'publishAt' | 'unpublishAt', now = Date.now()): boolean {
  return Date.parse(hoursOf(post)[name]) <= now;
}

export function isBackwards(post: Scheduled): boolean {
  const { publishAt, unpublishAt } = hoursOf(post);
  return Date.parse(unpublishAt) <= Date.parse(publishAt);
}
