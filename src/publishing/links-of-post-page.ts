/** What a post's stored page leads to: the previous post, the next, the author. */
import { postPath } from '#blog/routes/paths.ts';
import { AUTHOR_TAG, POST_TAG, postTag } from '#blog/routes/tags.ts';
import type { PageStore } from '#page-store/page-store.ts';

/** The other posts that a post's stored page names. */
export function namedPosts(store: PageStore, slug: string): string[] {
  const tags = store.explain(postPath(slug))?.tags ?? [];
  return tags
    .filter((tag) => tag.startsWith(POST_TAG) && tag !== postTag(slug))
    .map((tag) => tag.slice(POST_TAG.length));
}

/** Whether the stored page of `other` names `slug`; false when it is not stored. */
export function namesPost(store: PageStore, other: string, slug: string): boolean {
  return store.explain(postPath(other))?.tags.includes(postTag(slug)) ?? false;
}

/** The tags of the authors that a post's stored page names. */
export function namedAuthors(store: PageStore, slug: string): string[] {
  return store.explain(postPath(slug))?.tags.filter((tag) => tag.startsWith(AUTHOR_TAG)) ?? [];
}
