import { listedValues } from '#blog/post.ts';
import { postPath } from '#blog/routes/paths.ts';
import { TAG_COUNTS, TAG_LISTS, TAG_TAG, TAGGED, tagTag } from '#blog/routes/tags.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import type { PageStore } from '#page-store/page-store.ts';

export function shownTags(store: Pick<PageStore, 'explain'>, slugs: readonly string[]): string[] {
  const shown = slugs.flatMap((slug) => store.explain(postPath(slug))?.tags ?? []);
  return [...new Set(shown.flatMap((tag) => (tag.startsWith(TAGGED) ? [tagTag(tag.slice(TAGGED.length))] : [])))];
}

export const givenTags = (document: object): string[] => tagSlugs(listedValues(document).tags).map(tagTag);

/**
 * Returns the cache tags of outdated tag pages: with `isInPlace`, only those of added and removed tags; with
 * `areUnknown`, those of all tags.
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

export const isTagTag = (tag: string): boolean => tag.startsWith(TAG_TAG);
