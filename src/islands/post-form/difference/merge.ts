import { sameValue } from '#blog/post.ts';
import { blocksOf, type Difference, type FieldName, type Version } from './compute-difference.ts';

export type Subject = FieldName | number;
export type Side = 'before' | 'after' | 'both';
export type Choices = ReadonlyMap<Subject, Side>;

export function subjectsOf({ fields, rows }: Difference): Subject[] {
  return [...fields, ...rows.flatMap(({ kind }, place) => (kind === 'same' ? [] : [place]))];
}

/**
 * Chooses the changed side where only one side differs from the common ancestor `base`. Leaves the rest undecided, also a
 * block that one side moved.
 */
export function clearChoices({ before, after, fields, rows }: Difference, base: Version): Choices {
  const choices = new Map<Subject, Side>();
  for (const name of fields) {
    if (isSame(name, after, base)) choices.set(name, 'before');
    else if (isSame(name, before, base)) choices.set(name, 'after');
  }
  const [inBase, inBefore, inAfter] = [countsIn(base), countsIn(before), countsIn(after)];
  rows.forEach(({ kind, before: old, after: now }, place) => {
    if (kind === 'same') return;
    const times = (block: typeof old, counts = inBase) => (block && counts.get(block.key)) ?? 0;
    // A block missing from one side was changed or removed there if `base` has more of them than that side.
    if (times(now, inBefore) < times(now)) choices.set(place, 'before');
    else if (times(old, inAfter) < times(old)) choices.set(place, 'after');
    // A block that `base` does not have was added.
    else if (kind === 'removed' && times(old) === 0) choices.set(place, 'before');
    else if (kind === 'added' && times(now) === 0) choices.set(place, 'after');
  });
  return choices;
}

function countsIn({ content }: Version): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of blocksOf(content)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const isSame = (name: FieldName, one: Version, other: Version): boolean =>
  name === 'featuredImage' ? one[name] === other[name] : sameValue(name, one, other);

export const allOn = (difference: Difference, side: 'before' | 'after'): Choices =>
  new Map(subjectsOf(difference).map((subject) => [subject, side]));

/** Returns the merged version. Undecided fields take `after`; undecided rows keep both sides, so no text is lost. */
export function merged(difference: Difference, choices: Choices): Version {
  const { before, after, rows, fields } = difference;
  const content = rows.map((row, place) => {
    if (row.kind === 'same') return row.after.html;
    const side = choices.get(place) ?? 'both';
    return `${side === 'after' ? '' : (row.before?.html ?? '')}${side === 'before' ? '' : (row.after?.html ?? '')}`;
  });
  const whole = (side: Side) => rows.every((row, place) => row.kind === 'same' || choices.get(place) === side);
  const chosen = Object.fromEntries(
    fields.map((name) => [name, (choices.get(name) === 'before' ? before : after)[name]]),
  );
  // If every changed row takes the same side, that side's HTML is kept unchanged.
  const text = whole('after') ? after.content : whole('before') ? before.content : content.join('');
  return { ...after, ...chosen, content: text };
}
