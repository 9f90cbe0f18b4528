/** Searches titles as the writer types, for words or parts of words in any order. */

const MOST_WORDS = 10;
const LONGEST_WORD = 100;

/** Returns the words that a title must contain, without duplicates. Without words, every title matches. */
export function titleWords(search: string | undefined): string[] {
  const words = (search ?? '').split(/\s+/u).filter(Boolean);
  return [...new Set(words.map((word) => word.slice(0, LONGEST_WORD)))].slice(0, MOST_WORDS);
}

export function titleHolds(title: string, search: string | undefined): boolean {
  const folded = title.toLowerCase();
  return titleWords(search).every((word) => folded.includes(word.toLowerCase()));
}
