/**
 * Counts words and estimates the reading time. Kept in a separate file, so that the editor need not load the sanitiser.
 */

/** Counts words as in Unicode annex 29, with a faster regular expression for Latin text. */
export function countWords(text: string): number {
  let words = 0;
  if (LATIN.test(text)) {
    for (const word of text.match(LATIN_WORD) ?? []) if (word !== '_') words++;
  } else {
    segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  }
  return words;
}

export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / 230));

/** Created on first use, because browsers take as long to create it as to segment a long text. */
let segmenter: Intl.Segmenter | undefined;

/** Matches texts in which `LATIN_WORD` finds the same words as the segmenter, in a sixth of the time. */
const LATIN = /^[\t\n\r -~\xa0-\xac\xae-\xb7\xb9-\u024f\u2010-\u2019\u201a-\u2023\u2025\u2026\u20a0-\u20c0]*$/;
const LATIN_WORD =
  /[\wªµºÀ-ÖØ-öø-ɏ]+(?:(?:(?<=[A-Za-zªµºÀ-ÖØ-öø-ɏ])[.:·'‘’](?=[A-Za-zªµºÀ-ÖØ-öø-ɏ])|(?<=\d)[.,;'‘’](?=\d))[\wªµºÀ-ÖØ-öø-ɏ]+)*/g;
