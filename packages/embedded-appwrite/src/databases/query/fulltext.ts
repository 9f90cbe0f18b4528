/** Search text to an FTS5 expression that cannot be malformed, whatever the text holds. */

/** Matches words as FTS5's unicode61 does: letters, digits and private-use characters with their combining marks. */
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
/** Words of a text that are looked for; each costs a walk through all words of that beginning. */
const MOST_WORDS = 50;
const QUOTED = /^"(.*)"$/s;

/** Returns the words of a text in lower case. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
}

/**
 * Any of the (first 50) words, each by its beginning; text in double quotes as a phrase. Operators have no meaning. Gives
 * undefined for text without a word, which matches nothing.
 */
export function matchExpression(text: string): string | undefined {
  return alternatives(text).join(' OR ') || undefined;
}

/** The expressions of which a row has to match one, as `matchExpression` joins them. */
export function alternatives(text: string): string[] {
  const quoted = QUOTED.exec(text.trim());
  const words = wordsOf(quoted?.[1] ?? text);
  if (words.length === 0) return [];
  if (quoted) return [`"${words.join(' ')}"`];
  return words.slice(0, MOST_WORDS).map((word) => `"${word}"*`);
}
