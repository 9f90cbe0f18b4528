/** The table of contents of a post that is long enough to have one. */
import type { Heading } from './headings.ts';

/** A text that is read in three minutes is its own table of contents. */
const WORDS = 700;
const ENTRIES = 3;

/** The headings of the text's two highest levels; none for a short text, or for one with few of them. */
export function contentsOf({ headings, words }: { headings: readonly Heading[]; words: number }): readonly Heading[] {
  if (words < WORDS) return [];
  const highest = Math.min(...headings.map(({ level }) => level));
  const entries = headings.filter(({ level, text }) => level <= highest + 1 && text !== '');
  return entries.length < ENTRIES ? [] : entries;
}
