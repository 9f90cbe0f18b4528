/** Tags that invalidate stored pages: a write names tags, never pages. */

export const POSTS = 'posts';
/** Pages with the change date of every post, in addition to `posts`. An edit that moves no post outdates only these. */
export const POST_DATES = 'dates';
export const TAG_LISTS = 'tags';
export const TAG_COUNTS = 'tag-counts';
export const SITE = 'site';

export const POST_TAG = 'post:';
export const AUTHOR_TAG = 'author:';
export const TAG_TAG = 'tag:';
/** Set only on a post's page and never invalidated: names the tags that the page shows. */
export const TAGGED = 'tagged:';

/**
 * Returns the tag of the pages that show one post. A list carries the tag of each of its posts in addition to `posts`,
 * so that removing a post drops only the lists that name it; a list without them is dropped with any post. An edit that
 * keeps the post's place outdates only the pages with its tag.
 */
export const postTag = (slug: string): string => `${POST_TAG}${slug}`;
export const authorTag = (userId: string): string => `${AUTHOR_TAG}${userId}`;
/** Returns the tag of the pages that list a tag's posts: each write of one of these posts outdates them. */
export const tagTag = (slug: string): string => `${TAG_TAG}${slug}`;
