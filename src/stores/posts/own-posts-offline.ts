/** Requests the user's own posts and their pictures, so that the service worker stores them for use offline. */

import { storedPost } from '#backend/browser/stored-answers.ts';
import { getPost } from '#backend/browser.ts';
import { filesShownIn, fileUrl, previewUrl } from '#blog/images.ts';
import type { Post } from '#blog/post.ts';
import { currentSite } from '../site.ts';
import { listPosts } from './post-lists.ts';

/** Maximum number of posts to store, newest first. */
const POSTS = 200;
const AT_ONCE = 100;

/** Requests posts that are not stored or have changed, one by one; none if Save-Data is on. @throws backend errors */
export async function requestOwnPosts(userId: string): Promise<void> {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return;
  const { serviceWorker } = navigator;
  if (!serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  let cursor: string | undefined;
  for (let count = 0; count < POSTS; count += AT_ONCE) {
    const part = await listPosts({ status: 'any', userId, limit: AT_ONCE, cursor });
    for (const { id, updatedAt } of part.posts) {
      if ((await storedPost(id))?.updatedAt === updatedAt) continue;
      const post = await getPost(id);
      if (post) await requestPictures(post);
    }
    cursor = part.cursor;
    if (cursor === undefined) return;
  }
}

/** Requests the pictures at the URLs that the form uses, so that the service worker can serve them to the form. */
async function requestPictures({ content, featuredImage }: Post): Promise<void> {
  const site = currentSite();
  const own = { ...site, endpoint: '/v1' };
  const addresses = [
    ...(featuredImage ? [previewUrl(site, featuredImage, { width: 640, height: 427 })] : []),
    ...filesShownIn(content, site.bucketId).map((id) => fileUrl(own, id, 'view')),
  ];
  for (const address of addresses) await fetch(address, { mode: 'no-cors' }).catch(() => {});
}
