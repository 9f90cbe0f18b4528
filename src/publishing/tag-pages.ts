/** Finds the tag pages that a write outdates, from the tags that its posts had and have. */
import { listedValues } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { TAG_COUNTS, TAG_LISTS, TAG_TAG, TAGGED, tagTag } from '#blog/routes/tags.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import type { PageStore } from '#page-store/page-store.ts';

/** Returns the cache tags of the tags that the stored pages of these posts show. */
export function shownTags(store: Pick<PageStore, 'explain'>, slugs: readonly string[]): string[] {
  const shown = slugs.flatMap((slug) => store.explain(postPath(slug))?.tags ?? []);
  return [...new Set(shown.flatMap((tag) => (tag.startsWith(TAGGED) ? [tagTag(tag.slice(TAGGED.length))] : [])))];
}

/** Returns the cache tags of the tags in a post's document. */
export const givenTags = (document: object): string[] => tagSlugs(listedValues(document).tags).map(tagTag);

/**
 * Returns the cache tags that are outdated once the pages of a write are rendered.
 * @param before the posts' tags before the write
 * @param after the posts' tags after it
 * @param isInPlace the posts keep their places in lists: only added and removed tags are outdated
 * @param areUnknown some posts are not rendered yet, so their tags are unknown
 */
export function outdatedTags(
  before: readonly string[],
  after: readonly string[],
  { isInPlace, areUnknown }: { readonly isInPlace: boolean; readonly areUnknown: boolean },
): string[] {
  const all = [...new Set([...before, ...after])];
  const outdated = isInPlace ? all.filter((tag) => !before.includes(tag) || !after.includes(tag)) : all;
  if (areUnknown) return [TAG_LISTS, TAG_COUNTS, ...outdated];
  return outdated.length > 0 ? [TAG_COUNTS, ...outdated] : [];
}

/** Returns true for the cache tags that `givenTags` returns. */
export const isTagTag = (tag: string): boolean => tag.startsWith(TAG_TAG);
