/** Cache tags by which a write invalidates stored pages. A write never names the pages themselves. */

export const POSTS = 'posts';
/** Tag of pages that show modification dates. An edit that does not reorder lists invalidates this tag, not `POSTS`. */
export const POST_DATES = 'dates';
export const TAG_LISTS = 'tags';
export const TAG_COUNTS = 'tag-counts';
export const SITE = 'site';

export const POST_TAG = 'post:';
export const AUTHOR_TAG = 'author:';
export const TAG_TAG = 'tag:';
/**
 * Prefix of cache tags that record the post tags shown on a post's page. A write reads them to find outdated tag pages,
 * but never invalidates them.
 */
export const TAGGED = 'tagged:';

/**
 * Returns the cache tag of the pages that show one post. A list page has `posts` and the tag of each post on it, so
 * removing a post purges only the lists that show it. A page with `posts` but without any post's cache tag is purged
 * when any post is removed. An edit that keeps the post's place in the lists invalidates only the pages with the post's
 * cache tag or `POST_DATES`.
 */
export const postTag = (slug: string): string => `${POST_TAG}${slug}`;
export const authorTag = (userId: string): string => `${AUTHOR_TAG}${userId}`;
/** Returns the cache tag of the pages that list a tag's posts. Writing a post with the tag invalidates them. */
export const tagTag = (slug: string): string => `${TAG_TAG}${slug}`;
