/** Former versions of the post that is being edited: kept ahead of the update that overwrites them, listed, fetched. */

import * as backend from '#backend/browser.ts';
import type { Post } from '#blog/post.ts';
import { requireSession } from '../account/auth.ts';

export type { RevisionSummary } from '#backend/browser.ts';

const kept = new Map<string, Promise<backend.KeepResult>>();

/**
 * Keeps `post` as it was loaded. Called when the writer begins to change it, so that publishing finds it done and waits
 * for nothing; called again by publishing, it waits for the first call or repeats one that failed.
 * @throws what the backend threw when it is not known to be kept and another attempt may succeed.
 */
export function keepFormer(post: Post): Promise<backend.KeepResult> {
  const key = `${post.id} ${post.updatedAt}`;
  const begun = kept.get(key);
  if (begun) return begun;
  const keeping = backend.keepRevision(post);
  kept.set(key, keeping);
  const forget = () => kept.delete(key);
  // Only success is remembered: a session can be renewed, a collection provisioned.
  keeping.then((result) => result === 'unavailable' && forget(), forget);
  return keeping;
}

/** The former versions, newest first; undefined where the backend keeps none. Throws what the backend threw. */
export async function formerVersions(post: Post): Promise<backend.RevisionSummary[] | undefined> {
  const found = await backend.listRevisions(post);
  // A guest's list is empty.
  if (!found?.length) await requireSession(post.userId);
  return found;
}

export interface FormerVersion extends backend.Revision {
  /** Its featured image: the id where that is the image of the post today or is stored no more, else the file. */
  readonly picture: string | File;
}

/** One of them with its text and its picture. */
export async function formerVersion(id: string, today: Post): Promise<FormerVersion> {
  const version = await backend.getRevision(id);
  const { featuredImage } = version;
  const isToday = featuredImage === '' || featuredImage === today.featuredImage;
  return { ...version, picture: (!isToday && (await backend.formerPicture(featuredImage))) || featuredImage };
}
