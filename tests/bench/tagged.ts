/** Tags for the bench's posts. */
import { TAGS_IN_USE, tagPath } from '#blog/routes/paths.ts';
import { tagSlug } from '#blog/tags/tag-slug.ts';

/** Of a post, when posts have any. */
const TAGS = 10;

const nameOf = (n: number): string => `Tag ${n}`;

/** The pages of all the tags that there are: the first of each, and what names all of them. */
export const tagPages = (count: number): string[] =>
  count === 0 ? [] : [TAGS_IN_USE, ...Array.from({ length: count }, (_, n) => tagPath(tagSlug(nameOf(n))))];

/** The tags of the n-th post, of `count` that there are; of none where there are none. */
export const tagsAt = (n: number, count: number): string[] =>
  count === 0 ? [] : Array.from({ length: Math.min(TAGS, count) }, (_, i) => nameOf((n * 7 + i * 31) % count));

/** `texts` whose posts have tags. */
export const withTags = <Texts extends { readonly at: (n: number) => object }>(texts: Texts, count: number): Texts =>
  count === 0 ? texts : { ...texts, at: (n: number) => ({ ...texts.at(n), tags: tagsAt(n, count) }) };
