/** Addresses of posts and pages, apart from `paths.ts`, which the header loads. */
import { isPageSlug } from '../page-slugs.ts';
import { isPage, type PostValues } from '../post.ts';
import { postPath } from './paths.ts';

/** The address of a post that is a page, such as `/about`. */
export const pageAddress = (slug: string): string => `/${slug}`;
/** Returns the address of a post or page. A page whose slug another client has chosen wrongly is read like a post. */
export const addressOfPost = (post: { readonly id: string } & Pick<PostValues, 'kind'>): string =>
  isPage(post) && isPageSlug(post.id) ? pageAddress(post.id) : postPath(post.id);
/** Returns every address that a post of this slug may have. The others redirect to the one that it has. */
export const addressesOfSlug = (slug: string): string[] => [
  postPath(slug),
  ...(isPageSlug(slug) ? [pageAddress(slug)] : []),
];
