/** One version out of two: what is clear of itself, what has to be chosen, and the result. */

import { blocksOf } from './blocks.ts';
import type { Difference, FieldName, Version } from './difference-of.ts';

/** A field, or a row by its number. */
export type Subject = FieldName | number;
export type Side = 'before' | 'after' | 'both';
export type Choices = ReadonlyMap<Subject, Side>;

/** All differences, in the order in which they are shown. */
export function subjectsOf({ fields, rows }: Difference): Subject[] {
  return [...fields, ...rows.flatMap(({ kind }, place) => (kind === 'same' ? [] : [place]))];
}

/**
 * Where only one side departed from `base`, the version both began with, that side holds. What both changed is left to
 * the writer.
 */
export function clearChoices({ before, after, fields, rows }: Difference, base: Version): Choices {
  const choices = new Map<Subject, Side>();
  for (const name of fields) {
    if (after[name] === base[name]) choices.set(name, 'before');
    else if (before[name] === base[name]) choices.set(name, 'after');
  }
  const known = new Set(blocksOf(base.content).map(({ key }) => key));
  rows.forEach((row, place) => {
    if (row.kind === 'same') return;
    const [old, now] = [row.before, row.after].map((block) => block && known.has(block.key));
    // A block of the base that one side no longer has was taken away there.
    if (row.kind === 'removed') choices.set(place, old ? 'after' : 'before');
    else if (row.kind === 'added') choices.set(place, now ? 'before' : 'after');
    else if (now) choices.set(place, 'before');
    else if (old) choices.set(place, 'after');
  });
  return choices;
}

/** Every difference on one side. */
export const allOn = (difference: Difference, side: 'before' | 'after'): Choices =>
  new Map(subjectsOf(difference).map((subject) => [subject, side]));

/** The version that the choices make. A difference without a choice keeps both: nothing is left out unseen. */
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
  // A text that is one side's altogether is that side's to the letter.
  const text = whole('after') ? after.content : whole('before') ? before.content : content.join('');
  return { ...after, ...chosen, content: text };
}
