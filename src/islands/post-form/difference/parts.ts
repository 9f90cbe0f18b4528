/** What changed from word to word within a block. */

import { stepsBetween } from './steps.ts';
import { keyOfToken, type Token } from './tokens.ts';

export interface Part {
  readonly kind: 'same' | 'removed' | 'added';
  readonly tokens: readonly Token[];
}

export function partsOf(before: readonly Token[], after: readonly Token[]): Part[] {
  let [left, right] = [0, 0];
  const parts = stepsBetween(before.map(keyOfToken), after.map(keyOfToken)).map(({ kind, count }): Part => {
    const tokens = kind === 'added' ? after.slice(right, right + count) : before.slice(left, left + count);
    if (kind !== 'added') left += count;
    if (kind !== 'removed') right += count;
    return { kind, tokens };
  });
  return gathered(parts);
}

/** Between two changes only what is read stands still: "quick brown" → "slow red" is one change, not two and a space. */
function gathered(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  let removed: Token[] = [];
  let added: Token[] = [];
  const close = () => {
    if (removed.length > 0) result.push({ kind: 'removed', tokens: removed });
    if (added.length > 0) result.push({ kind: 'added', tokens: added });
    removed = [];
    added = [];
  };
  parts.forEach((part, place) => {
    const between = place > 0 && place < parts.length - 1 && part.tokens.every(({ kind }) => kind === 'space');
    if (part.kind !== 'added' && (part.kind === 'removed' || between)) removed.push(...part.tokens);
    if (part.kind !== 'removed' && (part.kind === 'added' || between)) added.push(...part.tokens);
    if (part.kind === 'same' && !between) {
      close();
      result.push(part);
    }
  });
  close();
  return result;
}
