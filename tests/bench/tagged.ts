import { TAGS_IN_USE, tagPath } from '#blog/routes/paths.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';

const TAGS_PER_POST = 10;

const nameOf = (n: number): string => `Tag ${n}`;

/** Returns the paths of the list of all tags and of the first page of each of `count` tags. */
export const tagPages = (count: number): string[] =>
  count === 0 ? [] : [TAGS_IN_USE, ...Array.from({ length: count }, (_, n) => tagPath(tagSlug(nameOf(n))))];

/** Returns the tags of the n-th post out of `count` tags; none if `count` is 0. */
export const tagsAt = (n: number, count: number): string[] =>
  count === 0 ? [] : Array.from({ length: Math.min(TAGS_PER_POST, count) }, (_, i) => nameOf((n * 7 + i * 31) % count));

export const withTags = <Texts extends { readonly at: (n: number) => object }>(texts: Texts, count: number): Texts =>
  count === 0 ? texts : { ...texts, at: (n: number) => ({ ...texts.at(n), tags: tagsAt(n, count) }) };
