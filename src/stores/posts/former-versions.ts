/** Former versions of the edited post: stored before the update that overwrites them, listed and fetched. */

import * as backend from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';

export type { RevisionSummary } from '#backend/browser.ts';

const kept = new Map<string, Promise<backend.KeepResult>>();

/**
 * Stores `post` as it was loaded. The form calls it when the writer begins, so that publishing need not wait;
 * publishing
 * calls it again, which waits for the first call or repeats a failed one.
 * @throws what the backend threw if another attempt may succeed.
 */
export function keepFormer(post: Post): Promise<backend.KeepResult> {
  const key = `${post.id} ${post.updatedAt}`;
  const begun = kept.get(key);
  if (begun) return begun;
  const keeping = backend.keepRevision(post);
  kept.set(key, keeping);
  const forget = () => kept.delete(key);
  // Only success is remembered, because a session can be renewed and a collection provisioned.
  keeping.then((result) => result === 'unavailable' && forget(), forget);
  return keeping;
}

/** The former versions, newest first; undefined if the backend keeps none. Throws what the backend threw. */
export async function formerVersions(post: Post): Promise<backend.RevisionSummary[] | undefined> {
  const found = await backend.listRevisions(post);
  // A guest gets an empty list.
  if (!found?.length) await requireSession(post.userId);
  return found;
}

export interface FormerVersion extends backend.Revision {
  /** Id of its featured image if that is the current one or no longer stored, else the file. */
  readonly picture: string | File;
}

export async function formerVersion(id: string, today: Post): Promise<FormerVersion> {
  const version = await backend.getRevision(id);
  const { featuredImage } = version;
  const isToday = featuredImage === '' || featuredImage === today.featuredImage;
  return { ...version, picture: (!isToday && (await backend.formerPicture(featuredImage))) || featuredImage };
}
