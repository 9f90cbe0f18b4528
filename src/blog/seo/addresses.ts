import { previewUrl, SHARE_HEIGHT, SHARE_WIDTH } from '../images.ts';
import type { Post } from '../post.ts';
import { sharePicturePath } from '../routes/paths.ts';
import type { Site } from '../site.ts';

/** Returns the absolute URL of a path on the site; an absolute URL is returned unchanged. */
export const absolute = (site: Pick<Site, 'url'>, path: string): string => new URL(path, `${site.url}/`).href;

/** Returns the URL of a post's share picture: the featured picture, cropped, or one drawn with the title. */
export function sharePicture(site: Site, post: Pick<Post, 'id' | 'featuredImage'>): string {
  const size = { width: SHARE_WIDTH, height: SHARE_HEIGHT, output: 'jpg' } as const;
  return absolute(site, post.featuredImage ? previewUrl(site, post.featuredImage, size) : sharePicturePath(post.id));
}
