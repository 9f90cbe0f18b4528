import { type Client, Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import { ARTICLES } from './content.ts';

/** Maximum number of documents that one request may create. */
const AT_ONCE = 100;

/**
 * Creates `count` posts directly in the backend, with the ids `post-0`, `post-1` and so on. They are published and
 * belong to `userId`, unless `fieldsOf` says otherwise.
 */
export async function createPosts(
  client: Client,
  userId: string,
  count: number,
  fieldsOf: (n: number) => object,
  place = ARTICLES,
): Promise<void> {
  const postAt = (n: number) => {
    const post = { $id: `post-${n}`, featuredImage: '', status: 'active' as PostStatus, userId, ...fieldsOf(n) };
    return { ...post, $permissions: postPermissions(post.status, post.userId) };
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const documents = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => postAt(from + i));
    await new Databases(client).createDocuments({ ...place, documents });
  }
}
