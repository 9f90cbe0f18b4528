/** The shortest way from one row of things to another, which the blocks of a text and the words of a block both take. */

import { diffArrays } from 'diff';

export interface Step {
  readonly kind: 'same' | 'removed' | 'added';
  /** How many things it is about. */
  readonly count: number;
}

/** Things that may differ; a way that is longer than this leads through taking all away and putting all in. */
const MOST_EDITS = 1000;

/** `before` and `after` name the things; equal names are equal things. */
export function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  // Numbers are compared faster than names.
  const numbers = new Map<string, number>();
  const numbered = (names: readonly string[]) =>
    names.map((name) => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    });
  const found = diffArrays(numbered(before), numbered(after), { maxEditLength: MOST_EDITS });
  if (found)
    return found.map(({ added, removed, count }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', count }));
  const all: Step[] = [
    { kind: 'removed', count: before.length },
    { kind: 'added', count: after.length },
  ];
  return all.filter(({ count }) => count > 0);
}
