/**
 * A guest's list leaves out inactive posts. Here that is distinguished from a session that has
 * ended: a writer whose posts are all there never reads that they are gone.
 */

import * as backend from '#backend/browser.ts';
import { requireSession } from '../account/auth.ts';

/** As the backend's. @throws SessionEnded as well, where a guest might have been given as much of one's own posts. */
export async function listPosts(options: backend.ListOptions): Promise<backend.PostList> {
  const part = await backend.listPosts(options);
  // An inactive post proves the session.
  if (options.userId !== undefined && part.posts.every(({ status }) => status === 'active')) {
    await requireSession(options.userId);
  }
  return part;
}

/** As the backend's. @throws SessionEnded as well, as `listPosts`. */
export async function stillListed(ids: readonly string[], wanted: backend.PostListQuery): Promise<Set<string>> {
  const still = await backend.stillListed(ids, wanted);
  if (wanted.userId !== undefined && still.size < ids.length) await requireSession(wanted.userId);
  return still;
}
