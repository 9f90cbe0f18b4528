import { textOf } from '../content/text.ts';
import { hitsIn, marked, type Piece, snippet } from './marks.ts';

export interface Match {
  readonly title: readonly Piece[];
  readonly context: readonly Piece[];
  readonly inTitle: number;
  readonly times: number;
}

/**
 * Returns undefined if a word occurs neither in the title nor in the visible text. The backend searches the markup,
 * too, so it finds too many posts.
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
