import { sameValue } from '#blog/post.ts';
import { blocksOf, type Difference, type FieldName, type Version } from './compute-difference.ts';

export type Subject = FieldName | number;
export type Side = 'before' | 'after' | 'both';
export type Choices = ReadonlyMap<Subject, Side>;

export function subjectsOf({ fields, rows }: Difference): Subject[] {
  return [...fields, ...rows.flatMap(({ kind }, place) => (kind === 'same' ? [] : [place]))];
}

/** Chooses the changed side where only one side differs from the common ancestor `base`; leaves the rest undecided. */
export function clearChoices({ before, after, fields, rows }: Difference, base: Version): Choices {
  const choices = new Map<Subject, Side>();
  for (const name of fields) {
    if (isSame(name, after, base)) choices.set(name, 'before');
    else if (isSame(name, before, base)) choices.set(name, 'after');
  }
  const known = new Set(blocksOf(base.content).map(({ key }) => key));
  rows.forEach((row, place) => {
    if (row.kind === 'same') return;
    const [old, now] = [row.before, row.after].map((block) => block && known.has(block.key));
    // A block missing from one side was removed there if `base` has it; otherwise, the other side added it.
    if (row.kind === 'removed') choices.set(place, old ? 'after' : 'before');
    else if (row.kind === 'added') choices.set(place, now ? 'before' : 'after');
    else if (now) choices.set(place, 'before');
    else if (old) choices.set(place, 'after');
  });
  return choices;
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
