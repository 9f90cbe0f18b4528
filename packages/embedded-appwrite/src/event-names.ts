/** A resource's kind and id, e.g. `['teams', 'staff']`. Lists of levels start with the outermost resource. */
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
 * Returns an event's names in the contract's order (part 2, section 7): the full name, its variants with `*`, the same
 * names without the action, then the level above without the action. An action with an attribute (`update.status`) adds
 * the names with plain `update`: before the full names if there is one level, after them if there are two. With two
 * levels, the names of the level above with `update.status` come last.
 */
export function eventNames(levels: readonly EventLevel[], action: string): string[] {
  const own = variants(levels);
  const above = levels.length > 1 ? variants(levels.slice(0, 1)) : [];
  const verb = action.split('.')[0] as string;
  const named = (names: readonly string[], each: string) => names.map((name) => `${name}.${each}`);
  if (verb === action) return [...named(own, verb), ...own, ...above];
  const actions = levels.length > 1 ? [action, verb] : [verb, action];
  return [...actions.flatMap((each) => named(own, each)), ...own, ...above, ...named(above, action)];
}
