/** Posts that each other's pages name: the previous one and the next. */
import { postPath } from './canonical.ts';
import type { PageStore } from './page-store.ts';
import { POST_TAG, postTag } from './tags.ts';

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
