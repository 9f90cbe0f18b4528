/** The table of contents of a post that is long enough to have one. */
import type { Heading } from './headings.ts';

/** A text that is read in three minutes is its own table of contents. */
const WORDS = 700;
const ENTRIES = 3;
/** A longer one is no way to find anything: then the highest level is listed alone, and if that is longer, nothing. */
const MOST_ENTRIES = 200;

/** The headings of the text's two highest levels; none for a short text, or for one with few of them or hundreds. */
export function tableOfContents({
  headings,
  words,
}: {
  headings: readonly Heading[];
  words: number;
}): readonly Heading[] {
  if (words < WORDS) return [];
  const highest = Math.min(...headings.map(({ level }) => level));
  const downTo = (lowest: number) => headings.filter(({ level, text }) => level <= lowest && text !== '');
  const two = downTo(highest + 1);
  const entries = two.length > MOST_ENTRIES ? downTo(highest) : two;
  return entries.length < ENTRIES || entries.length > MOST_ENTRIES ? [] : entries;
}
