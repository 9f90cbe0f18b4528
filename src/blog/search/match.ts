import { textOf } from '../content/text.ts';
import { hitsIn, marked, type Piece, snippet } from './marks.ts';

export interface Match {
  readonly title: readonly Piece[];
  readonly context: readonly Piece[];
  readonly inTitle: number;
  readonly times: number;
}

/**
 * Returns undefined unless every word occurs in the title or the visible text. The backend also searches the markup, so
 * its results include posts that do not match.
 */
export function matchOf(html: string, title: string, words: readonly string[]): Match | undefined {
  const text = textOf(html);
  if (hitsIn(`${title}\n${text}`, words).words < words.length) return undefined;
  return {
    title: marked(title, words),
    context: snippet(text, words),
    inTitle: hitsIn(title, words).words,
    times: hitsIn(text, words).times,
  };
}
