import { stepsBetween } from './edit-script.ts';
import { keyOfToken, type Token } from './tokens.ts';

export interface WordChange {
  readonly kind: 'same' | 'removed' | 'added';
  readonly tokens: readonly Token[];
}

export function wordChanges(before: readonly Token[], after: readonly Token[]): WordChange[] {
  let [left, right] = [0, 0];
  const changes = stepsBetween(before.map(keyOfToken), after.map(keyOfToken)).map(({ kind, count }): WordChange => {
    const tokens = kind === 'added' ? after.slice(right, right + count) : before.slice(left, left + count);
    if (kind !== 'added') left += count;
    if (kind !== 'removed') right += count;
    return { kind, tokens };
  });
  return gathered(changes);
}

/** Merges changes separated only by white space: "quick brown" → "slow red" is one change. */
function gathered(changes: readonly WordChange[]): WordChange[] {
  const result: WordChange[] = [];
  let removed: Token[] = [];
  let added: Token[] = [];
  const close = () => {
    if (removed.length > 0) result.push({ kind: 'removed', tokens: removed });
    if (added.length > 0) result.push({ kind: 'added', tokens: added });
    removed = [];
    added = [];
  };
  changes.forEach((part, place) => {
    const between = place > 0 && place < changes.length - 1 && part.tokens.every(({ kind }) => kind === 'space');
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
