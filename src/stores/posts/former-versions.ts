/** Former versions of the edited post: stores one before each update, lists and fetches them. */

import * as backend from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';

export type { RevisionSummary } from '#backend/browser.ts';

const kept = new Map<string, Promise<backend.KeepResult>>();

/**
 * Stores the post as a former version, at most once per version. After a failure, the next call tries again.
 * @throws errors after which a retry may succeed
 */
export function keepFormer(post: Post): Promise<backend.KeepResult> {
  const key = `${post.id} ${post.updatedAt}`;
  const begun = kept.get(key);
  if (begun) return begun;
  const keeping = backend.keepRevision(post);
  kept.set(key, keeping);
  const forget = () => kept.delete(key);
  // Forgets failures, because a retry may succeed once the session is renewed or the collection provisioned.
  keeping.then((result) => result === 'unavailable' && forget(), forget);
  return keeping;
}

/** Returns the former versions, newest first; undefined if the backend cannot store any. Rethrows backend errors. */
export async function formerVersions(post: Post): Promise<backend.RevisionSummary[] | undefined> {
  const found = await backend.listRevisions(post);
  // The list may be empty because the session has ended: guests always get an empty list.
  if (!found?.length) await requireSession(post.userId);
  return found;
}

export interface FormerVersion extends backend.Revision {
  /** The featured image: its id if it is the post's current image or no longer stored; otherwise the file. */
  readonly picture: string | File;
}

export async function formerVersion(id: string, today: Post): Promise<FormerVersion> {
  const version = await backend.getRevision(id);
  const { featuredImage } = version;
  const isToday = featuredImage === '' || featuredImage === today.featuredImage;
  return { ...version, picture: (!isToday && (await backend.formerPicture(featuredImage))) || featuredImage };
}
