import { diffArrays } from 'diff';
import { keyOfToken, type Token } from './tokens.ts';

export interface Block {
  /** HTML of the block, including the white space after it, so that joining all blocks restores the complete text. */
  readonly html: string;
  /** Equal for blocks with equal content, even if their HTML differs. */
  readonly key: string;
  readonly tokens: readonly Token[];
}

export type Row =
  | { readonly kind: 'same' | 'changed'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'removed'; readonly before: Block; readonly after?: undefined }
  | { readonly kind: 'added'; readonly after: Block; readonly before?: undefined };

/** Minimum similarity (0–1) of a changed block; less similar blocks count as removed and added. */
const ALIKE = 0.4;
/** Maximum number of block pairs to compare in a run of changes. In longer runs, blocks are paired by position. */
const MOST_PAIRS = 10_000;

/** Returns the rows of two aligned versions in reading order; removed blocks come before added ones. */
export function align(before: readonly Block[], after: readonly Block[]): Row[] {
  const rows: Row[] = [];
  let removed: Block[] = [];
  let added: Block[] = [];
  const close = () => {
    rows.push(...pairUp(removed, added));
    removed = [];
    added = [];
  };
  let [left, right] = [0, 0];
  const keys = (blocks: readonly Block[]) => blocks.map(({ key }) => key);
  for (const { kind, count } of stepsBetween(keys(before), keys(after))) {
    if (kind === 'removed') removed = before.slice(left, left + count);
    else if (kind === 'added') added = after.slice(right, right + count);
    else {
      close();
      for (let n = 0; n < count; n += 1) {
        rows.push({ kind: 'same', before: before[left + n] as Block, after: after[right + n] as Block });
      }
    }
    if (kind !== 'added') left += count;
    if (kind !== 'removed') right += count;
  }
  close();
  return rows;
}

/** Pairs similar blocks in order, maximising the sum of their similarities. */
function pairUp(removed: readonly Block[], added: readonly Block[]): Row[] {
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  const upTo = (toLeft: number, toRight: number) => {
    for (; left < toLeft; left += 1) rows.push({ kind: 'removed', before: removed[left] as Block });
    for (; right < toRight; right += 1) rows.push({ kind: 'added', after: added[right] as Block });
  };
  for (const [one, other] of pairs(removed, added)) {
    upTo(one, other);
    rows.push({ kind: 'changed', before: removed[one] as Block, after: added[other] as Block });
    left = one + 1;
    right = other + 1;
  }
  upTo(removed.length, added.length);
  return rows;
}

function pairs(removed: readonly Block[], added: readonly Block[]): [number, number][] {
  const bags = { removed: removed.map(wordCountsOf), added: added.map(wordCountsOf) };
  const value = (one: number, other: number) => {
    const alike = likeness(bags.removed[one] as WordCounts, bags.added[other] as WordCounts);
    return alike >= ALIKE ? alike : 0;
  };
  if (removed.length * added.length > MOST_PAIRS) {
    const length = Math.min(removed.length, added.length);
    return Array.from({ length }, (_, place): [number, number] => [place, place]).filter(([place]) =>
      value(place, place),
    );
  }
  // best[i][j] is the greatest total similarity when pairing `removed` from i onwards with `added` from j onwards.
  const best = removed.map(() => new Array<number>(added.length + 1).fill(0));
  best.push(new Array<number>(added.length + 1).fill(0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = removed.length - 1; i >= 0; i -= 1) {
    for (let j = added.length - 1; j >= 0; j -= 1) {
      const both = value(i, j);
      (best[i] as number[])[j] = Math.max(at(i + 1, j), at(i, j + 1), both ? both + at(i + 1, j + 1) : 0);
    }
  }
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < removed.length && j < added.length; ) {
    const both = value(i, j);
    if (both && at(i, j) === both + at(i + 1, j + 1)) found.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i += 1;
    else j += 1;
  }
  return found;
}

interface WordCounts {
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

function wordCountsOf({ tokens }: Block): WordCounts {
  const words = new Map<string, number>();
  let size = 0;
  for (const { kind, text, src } of tokens) {
    if (kind !== 'word' && kind !== 'picture') continue;
    const name = src ?? text.toLowerCase();
    words.set(name, (words.get(name) ?? 0) + 1);
    size += 1;
  }
  return { words, size };
}

/** Returns the similarity, from 0 (no words in common) to 1 (the same words). */
function likeness(one: WordCounts, other: WordCounts): number {
  if (one.size + other.size === 0) return 1;
  let shared = 0;
  for (const [word, count] of one.words) shared += Math.min(count, other.words.get(word) ?? 0);
  return (2 * shared) / (one.size + other.size);
}

export interface WordChange {
  readonly kind: Step['kind'];
  readonly tokens: readonly Token[];
}

/** Compares words. Changes separated only by white space become one, such as "quick brown" → "slow red". */
export function wordChanges(before: readonly Token[], after: readonly Token[]): WordChange[] {
  const result: WordChange[] = [];
  let removed: Token[] = [];
  let added: Token[] = [];
  const close = () => {
    if (removed.length > 0) result.push({ kind: 'removed', tokens: removed });
    if (added.length > 0) result.push({ kind: 'added', tokens: added });
    removed = [];
    added = [];
  };
  let [left, right] = [0, 0];
  const steps = stepsBetween(before.map(keyOfToken), after.map(keyOfToken));
  for (const [place, { kind, count }] of steps.entries()) {
    const tokens = kind === 'added' ? after.slice(right, right + count) : before.slice(left, left + count);
    if (kind !== 'added') left += count;
    if (kind !== 'removed') right += count;
    const isBetween = place > 0 && place < steps.length - 1 && tokens.every((token) => token.kind === 'space');
    if (kind === 'removed' || (kind === 'same' && isBetween)) removed.push(...tokens);
    if (kind === 'added' || (kind === 'same' && isBetween)) added.push(...tokens);
    if (kind === 'same' && !isBetween) {
      close();
      result.push({ kind, tokens });
    }
  }
  close();
  return result;
}

interface Step {
  readonly kind: 'same' | 'removed' | 'added';
  readonly count: number;
}

/** Maximum number of removed and added items. With more, all items count as replaced. */
const MOST_EDITS = 1000;

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  const found = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (found)
    return found.map(({ added, removed, count }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', count }));
  const all: Step[] = [
    { kind: 'removed', count: before.length },
    { kind: 'added', count: after.length },
  ];
  return all.filter(({ count }) => count > 0);
}
