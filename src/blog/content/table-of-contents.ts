import type { Heading } from './headings.ts';
import type { RenderedContent } from './render.ts';

const WORDS = 700;
const ENTRIES = 3;
/** Maximum number of entries. A longer table keeps only its highest level; if still too long, it is omitted. */
const MOST_ENTRIES = 200;

/** Returns the headings of the two highest levels; empty if the text is short or has too few or too many headings. */
export function tableOfContents({ headings, words }: Pick<RenderedContent, 'headings' | 'words'>): readonly Heading[] {
  if (words < WORDS) return [];
  const highest = Math.min(...headings.map(({ level }) => level));
  const downTo = (lowest: number) => headings.filter(({ level, text }) => level <= lowest && text !== '');
  const two = downTo(highest + 1);
  const entries = two.length > MOST_ENTRIES ? downTo(highest) : two;
  return entries.length < ENTRIES || entries.length > MOST_ENTRIES ? [] : entries;
}
