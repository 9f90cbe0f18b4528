/** Searching titles as somebody types: by words, whole or in part, in any order. */

const MOST_WORDS = 10;
const LONGEST_WORD = 100;

/** The words that a title must hold, each once. None: every title does. */
export function titleWords(search: string | undefined): string[] {
  const words = (search ?? '').split(/\s+/u).filter(Boolean);
  return [...new Set(words.map((word) => word.slice(0, LONGEST_WORD)))].slice(0, MOST_WORDS);
}

/** Whether the list of a search holds a title, as the backend would say. */
export function titleHolds(title: string, search: string | undefined): boolean {
  const folded = title.toLowerCase();
  return titleWords(search).every((word) => folded.includes(word.toLowerCase()));
}
