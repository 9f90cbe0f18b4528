/** How the addresses of public pages look from outside. */

import { previewUrl, SHARE_HEIGHT, SHARE_WIDTH } from '../images.ts';
import type { Post } from '../post.ts';
import { sharePicturePath } from '../routes/paths.ts';
import type { Site } from '../site.ts';

/** With the site's address before it; an address that is whole stays. */
export const absolute = (site: Pick<Site, 'url'>, path: string): string => new URL(path, `${site.url}/`).href;

/** The picture under which a post is shared: its own, cut to shape, or one of its title. */
export function sharePicture(site: Site, post: Pick<Post, 'id' | 'featuredImage'>): string {
  const size = { width: SHARE_WIDTH, height: SHARE_HEIGHT, output: 'jpg' } as const;
  return absolute(site, post.featuredImage ? previewUrl(site, post.featuredImage, size) : sharePicturePath(post.id));
}
