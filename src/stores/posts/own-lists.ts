/** Lists of posts that tell an ended session from a short list: a guest's list leaves out inactive posts. */

import * as backend from '#backend/browser.ts';
import { requireSession } from '../account/auth.ts';

/** @throws SessionEnded, too, if a guest would get as much of the user's own posts. */
export async function listPosts(options: backend.ListOptions): Promise<backend.PostList> {
  const part = await backend.listPosts(options);
  if (options.userId !== undefined && part.posts.every(({ status }) => status === 'active')) {
    await requireSession(options.userId);
  }
  return part;
}

/** @throws SessionEnded, too, like `listPosts`. */
export async function stillListed(ids: readonly string[], wanted: backend.PostListQuery): Promise<Set<string>> {
  const still = await backend.stillListed(ids, wanted);
  if (wanted.userId !== undefined && still.size < ids.length) await requireSession(wanted.userId);
  return still;
}
