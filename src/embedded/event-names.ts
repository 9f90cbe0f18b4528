/** The names of an event that has up to two levels, in the contract's order (part 2, 7). */

/** A kind and the id of one, e.g. `['teams', 'staff']`; outermost first. */
export type EventLevel = readonly [kind: string, id: string];

function variants([outer, inner]: readonly EventLevel[]): string[] {
  if (!outer) return [];
  const [kind, id] = outer;
  if (!inner) return [`${kind}.${id}`, `${kind}.*`];
  const [innerKind, innerId] = inner;
  return [
    `${kind}.${id}.${innerKind}.${innerId}`,
    `${kind}.*.${innerKind}.*`,
    `${kind}.${id}.${innerKind}.*`,
    `${kind}.*.${innerKind}.${innerId}`,
  ];
}

/**
 * The concrete name first, then its variants with `*`, then all of them without the action, then the level above. What
 * happens to an attribute (`update.status`) is told as what happens to the whole (`update`) too.
 */
export function eventNames(levels: readonly EventLevel[], action: string): string[] {
  const own = variants(levels);
  const above = levels.length > 1 ? variants(levels.slice(0, 1)) : [];
  const verb = action.split('.')[0] as string;
  const actions = verb === action ? [action] : [action, verb];
  const ofAbove = verb === action ? above : [...above, ...above.map((name) => `${name}.${action}`)];
  return [...actions.flatMap((each) => own.map((name) => `${name}.${each}`)), ...own, ...ofAbove];
}
