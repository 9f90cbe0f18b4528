/** How long a text is, in words and in minutes. Apart from the sanitiser, so that the editor can count too. */

/** Words of a text; in scripts that set no spaces, as the language's segmenter finds them. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}

/** Whole minutes, at least one, at 230 words a minute. */
export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / 230));

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
