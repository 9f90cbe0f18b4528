/** Finds the words of a query in text, ignoring case and accents. */

export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** Matches words that begin with one of `words`. The text to search must be NFD-normalised. */
function pattern(words: readonly string[]): RegExp | undefined {
  const forms = words.map((word) => {
    const letters = word.normalize('NFD').replace(/\p{M}/gu, '');
    return Array.from(letters, (letter) => `${letter}\\p{M}*`).join('');
  });
  const given = forms.filter((form) => form !== '');
  if (given.length === 0) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])(?:${given.join('|')})[\\p{L}\\p{N}\\p{M}]*`, 'giu');
}

export function marked(text: string, words: readonly string[]): Piece[] {
  const decomposed = text.normalize('NFD');
  const found = pattern(words);
  const pieces: Piece[] = [];
  let end = 0;
  const add = (part: string, hit: boolean) => {
    if (part !== '') pieces.push({ text: part.normalize('NFC'), hit });
  };
  for (const match of found ? decomposed.matchAll(found) : []) {
    add(decomposed.slice(end, match.index), false);
    add(match[0], true);
    end = match.index + match[0].length;
  }
  add(decomposed.slice(end), false);
  return pieces;
}

/** Counts how many of `words` the text contains, and all their occurrences. */
export function hitsIn(text: string, words: readonly string[]): { words: number; times: number } {
  const decomposed = text.normalize('NFD');
  const counts = words.map((word) => {
    const found = pattern([word]);
    return found ? (decomposed.match(found)?.length ?? 0) : 0;
  });
  return { words: counts.filter(Boolean).length, times: counts.reduce((sum, count) => sum + count, 0) };
}

const BEFORE = 60;
const SNIPPET_LENGTH = 220;

/** Returns about `length` characters around the first hit or, without one, from the beginning, cut between words. */
export function snippet(text: string, words: readonly string[], length = SNIPPET_LENGTH): Piece[] {
  const line = text.replace(/\s+/g, ' ').normalize('NFD');
  const at = pattern(words)?.exec(line)?.index ?? 0;
  const begin = at <= BEFORE ? 0 : afterBlank(line, at - BEFORE, at);
  const end = begin + length >= line.length ? line.length : beforeBlank(line, begin + length, at);
  const cut = `${begin > 0 ? '… ' : ''}${line.slice(begin, end)}${end < line.length ? '…' : ''}`;
  return marked(cut.toWellFormed(), words);
}

function afterBlank(text: string, from: number, atMost: number): number {
  const blank = text.indexOf(' ', from);
  return blank < 0 || blank >= atMost ? from : blank + 1;
}

function beforeBlank(text: string, from: number, atLeast: number): number {
  const blank = text.lastIndexOf(' ', from);
  return blank <= atLeast ? from : blank;
}
