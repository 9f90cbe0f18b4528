/** Lists of posts that detect an ended session: the backend omits inactive posts for a guest. */

import * as backend from '#backend/browser.ts';
import { requireSession } from '../account/auth.ts';

/** @throws SessionEnded if a guest would get the same part of the user's own posts, and backend errors. */
export async function listPosts(options: backend.ListOptions): Promise<backend.PostList> {
  const part = await backend.listPosts(options);
  if (options.userId !== undefined && part.posts.every(({ status }) => status === 'active')) {
    await requireSession(options.userId);
  }
  return part;
}

/** @throws SessionEnded if a guest's list could miss some of the user's own posts, and backend errors. */
export async function stillListed(ids: readonly string[], wanted: backend.PostListQuery): Promise<Set<string>> {
  const still = await backend.stillListed(ids, wanted);
  if (wanted.userId !== undefined && still.size < ids.length) await requireSession(wanted.userId);
  return still;
}
