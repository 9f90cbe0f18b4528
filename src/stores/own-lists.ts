/**
 * A guest's list leaves out inactive posts. Here that is distinguished from a session that has
 * ended: a writer whose posts are all there never reads that they are gone.
 */

import * as backend from '#backend/browser.ts';
import { requireSession } from './auth.ts';

/** As the backend's. @throws SessionEnded as well, where one's own posts were asked for and none came. */
export async function listPosts(options: backend.ListOptions): Promise<backend.PostList> {
  const part = await backend.listPosts(options);
  if (options.userId !== undefined && part.posts.length === 0) await requireSession(options.userId);
  return part;
}

/** As the backend's. @throws SessionEnded as well, as `listPosts`. */
export async function stillListed(ids: readonly string[], wanted: backend.PostListQuery): Promise<Set<string>> {
  const still = await backend.stillListed(ids, wanted);
  if (wanted.userId !== undefined && still.size === 0) await requireSession(wanted.userId);
  return still;
}
