/**
 * How much markup a text may have. Each tag takes the site some microseconds with every reading, and the page of a text
 * that is all markup is many times as long as the text. Apart from the sanitiser, so that the form can count too.
 */

/**
 * Tags, both of an element counted. The longest text that can be stored has 15,000 where it is prose. A report of 25,000
 * words in 2,000 list items, the longest of the posts that this was measured with, has 4,700.
 */
export const MOST_TAGS = 20_000;
/** Characters written as references, such as `&lt;`. Code of the longest text that can be stored has not half of these. */
export const MOST_REFERENCES = 250_000;

/** What has more is shown as its words alone. */
export const isMostlyMarkup = (html: string): boolean =>
  hasMore(html, '<', MOST_TAGS) || hasMore(html, '&', MOST_REFERENCES);

/** Tags of a text in its stored form. */
export const tagsIn = (html: string): number => countOf(html, '<', Number.POSITIVE_INFINITY);

const hasMore = (text: string, mark: string, most: number): boolean =>
  text.length > most && countOf(text, mark, most) > most;

/** How often `mark` is in `text`; counts no further than one above `most`. */
function countOf(text: string, mark: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count++;
  return count;
}
