import { diffArrays } from 'diff';

export interface Step {
  readonly kind: 'same' | 'removed' | 'added';
  readonly count: number;
}

/** Number of differing items; beyond it everything is replaced. */
const MOST_EDITS = 1000;

/** Returns the steps from `before` to `after`; items with equal names are equal. */
export function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  // Comparing numbers is faster than comparing strings.
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
