/** Matches words as the unicode61 tokenizer does: letters, digits, private-use characters and combining marks. */
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
/** Maximum words per search, because FTS5 walks through all indexed words that begin with a searched word. */
const MOST_WORDS = 50;
const QUOTED = /^"(.*)"$/s;

export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
}

/** Returns an FTS5 expression: the quoted phrase, or any of the first 50 words as a prefix; undefined without words. */
export function matchExpression(text: string): string | undefined {
  return alternatives(text).join(' OR ') || undefined;
}

/** Returns the expressions that `matchExpression` joins with OR. */
export function alternatives(text: string): string[] {
  const quoted = QUOTED.exec(text.trim());
  const words = wordsOf(quoted?.[1] ?? text);
  if (words.length === 0) return [];
  if (quoted) return [`"${words.join(' ')}"`];
  return words.slice(0, MOST_WORDS).map((word) => `"${word}"*`);
}
