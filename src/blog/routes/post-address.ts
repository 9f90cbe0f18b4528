/** Addresses of posts and pages. Separate from `paths.ts`, so that the header does not load `post.ts`. */
import { isPageSlug } from '../page-slugs.ts';
import { isPage, type PostValues } from '../post.ts';
import { postPath } from './paths.ts';

/** The address of a post that is a page, such as `/about`. */
export const pageAddress = (slug: string): string => `/${slug}`;
/** Returns the address of a post or page. A page with a slug that pages may not have gets a post's address. */
export const addressOfPost = (post: { readonly id: string } & Pick<PostValues, 'kind'>): string =>
  isPage(post) && isPageSlug(post.id) ? pageAddress(post.id) : postPath(post.id);
/**
 * Returns the possible paths of a slug, as a post and as a page. The one that does not fit its kind redirects to the
 * other.
 */
export const addressesOfSlug = (slug: string): string[] => [
  postPath(slug),
  ...(isPageSlug(slug) ? [pageAddress(slug)] : []),
];
