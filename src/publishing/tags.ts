/** The names by which stored pages are invalidated. A write names tags; it never names pages. */

/** Home, list pages, feeds, sitemap: everything that lists posts. */
export const POSTS = 'posts';
/** Every page of the site. */
export const SITE = 'site';

/** The pages that show one post. */
export const postTag = (slug: string): string => `post:${slug}`;
/** The pages that name an author. */
export const authorTag = (userId: string): string => `author:${userId}`;
