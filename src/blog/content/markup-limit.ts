/**
 * Limits the markup in a post, because each tag costs time at every parse and makes the page longer. Kept in a separate
 * file, so that the form can check the limit without loading the sanitiser.
 */

/**
 * Maximum number of start and end tags. Prose of the maximum text length has 15,000 tags; a report of 25,000 words with
 * 2,000 list items has 4,700.
 */
export const MOST_TAGS = 20_000;
/**
 * Maximum number of character references such as `&lt;`. Typical code of the maximum length has fewer than half as
 * many.
 */
export const MOST_REFERENCES = 250_000;

export const isMostlyMarkup = (html: string): boolean =>
  hasMore(html, '<', MOST_TAGS) || hasMore(html, '&', MOST_REFERENCES);

export const tagsIn = (html: string): number => countOf(html, '<', Number.POSITIVE_INFINITY);

const hasMore = (text: string, mark: string, most: number): boolean =>
  text.length > most && countOf(text, mark, most) > most;

function countOf(text: string, mark: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count++;
  return count;
}
