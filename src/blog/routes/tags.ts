/** The names by which stored pages are invalidated. A write names tags; it never names pages. */

/** Home, list pages, feeds, sitemap: everything that lists posts. */
export const POSTS = 'posts';
/** Pages that say of every post when it was changed, beside `posts`: an edit that moves no post outdates them alone. */
export const POST_DATES = 'dates';
/** Every page of a tag, for writes of which it is not known which tags the posts have. */
export const TAG_LISTS = 'tags';
/** Pages that name every tag. */
export const TAG_COUNTS = 'tag-counts';
/** Every page of the site. */
export const SITE = 'site';

export const POST_TAG = 'post:';
export const AUTHOR_TAG = 'author:';
export const TAG_TAG = 'tag:';
/** On a post's page alone, and never outdated: says which tags the page shows. */
export const TAGGED = 'tagged:';

/**
 * The pages that show one post. A list gives the tag of each post it names, beside `posts`: then the removal of a post
 * takes away the lists that name it and leaves the others; a list that gives none is taken away with any post. And an
 * edit that leaves the post in its place outdates the pages with its tag alone.
 */
export const postTag = (slug: string): string => `${POST_TAG}${slug}`;
/** The pages that name an author. */
export const authorTag = (userId: string): string => `${AUTHOR_TAG}${userId}`;
/** The pages that list the posts with a tag: each write of such a post outdates them. */
export const tagTag = (slug: string): string => `${TAG_TAG}${slug}`;
