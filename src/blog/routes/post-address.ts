/** Paths of posts and pages. Kept separate from `paths.ts`, so that the header does not load `post.ts`. */
import { isPageSlug } from '../page-slugs.ts';
import { isPage, type PostValues } from '../post.ts';
import { postPath } from './paths.ts';

/** Returns the path of a page such as `/about`. */
export const pageAddress = (slug: string): string => `/${slug}`;
/** Returns the path of a post or page. A page whose slug is reserved or unsuitable for pages gets a post's path. */
export const addressOfPost = (post: { readonly id: string } & Pick<PostValues, 'kind'>): string =>
  isPage(post) && isPageSlug(post.id) ? pageAddress(post.id) : postPath(post.id);
/** Returns the paths that a slug may have, as a post and as a page. The site redirects the wrong one to the other. */
export const addressesOfSlug = (slug: string): string[] => [
  postPath(slug),
  ...(isPageSlug(slug) ? [pageAddress(slug)] : []),
];
