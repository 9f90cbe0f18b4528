/** Tags for the bench's posts. */

/** Of a post, when posts have any. */
const TAGS = 10;

/** The tags of the n-th post, of `count` that there are; of none where there are none. */
export const tagsAt = (n: number, count: number): string[] =>
  count === 0 ? [] : Array.from({ length: Math.min(TAGS, count) }, (_, i) => `Tag ${(n * 7 + i * 31) % count}`);

/** `texts` whose posts have tags. */
export const withTags = <Texts extends { readonly at: (n: number) => object }>(texts: Texts, count: number): Texts =>
  count === 0 ? texts : { ...texts, at: (n: number) => ({ ...texts.at(n), tags: tagsAt(n, count) }) };
