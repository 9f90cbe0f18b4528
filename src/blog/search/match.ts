/** What a search shows of one post. */

import { textOf } from '../content/text.ts';
import { hitsIn, marked, type Piece, snippet } from './marks.ts';

export interface Match {
  readonly title: readonly Piece[];
  /** Words around the first hit in the text, or its beginning. */
  readonly context: readonly Piece[];
  /** How many of the words the title holds. */
  readonly inTitle: number;
  /** How many times the text holds any of them. */
  readonly times: number;
}

const SNIPPET = 220;

/** Undefined unless readers see every word in `title` or the text: the backend also finds words of the markup. */
export function matchOf(html: string, title: string, words: readonly string[]): Match | undefined {
  const text = textOf(html);
  if (hitsIn(`${title}\n${text}`, words).words < words.length) return undefined;
  return {
    title: marked(title, words),
    context: snippet(text, words, SNIPPET),
    inTitle: hitsIn(title, words).words,
    times: hitsIn(text, words).times,
  };
}
