/** Merges two versions of a text block by block, starting from the version on which both sides last agreed. */
import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';

/** Half-open range of indexes. */
export type Range = readonly [from: number, to: number];

/** A part of the merged text, with its range in both versions. */
export interface Part {
  /** `both`: equal on both sides. `conflict`: both sides changed the same block. */
  readonly from: 'both' | 'file' | 'blog' | 'conflict';
  readonly file: Range;
  readonly blog: Range;
}

interface Change {
  /** Range in the base. */
  readonly base: Range;
  /** Range in the changed version. */
  readonly own: Range;
}

/**
 * Returns the parts of the merged text in order. Changes to different blocks are merged, even if the blocks are
 * adjacent. If both sides insert blocks at the same place, the file's come first.
 * @param base keys of the blocks on which both sides agreed; undefined in the first sync, where different blocks at the
 *   same place conflict
 */
export function mergeBlocks(
  base: readonly string[] | undefined,
  file: readonly string[],
  blog: readonly string[],
): Part[] {
  const known = base ?? commonBlocks(file, blog);
  const sides = { file: changesBetween(known, file), blog: changesBetween(known, blog) };
  const parts: Part[] = [];
  const add = (from: Part['from'], fileRange: Range, blogRange: Range) => {
    if (fileRange[0] < fileRange[1] || blogRange[0] < blogRange[1])
      parts.push({ from, file: fileRange, blog: blogRange });
  };
  let [at, fileAt, blogAt] = [0, 0, 0];
  for (const { range, changed } of groupsOf(sides)) {
    const same = range[0] - at;
    add('both', [fileAt, fileAt + same], [blogAt, blogAt + same]);
    fileAt += same;
    blogAt += same;
    const fileRange: Range = [fileAt, fileAt + sizeAfter(changed.file, range)];
    const blogRange: Range = [blogAt, blogAt + sizeAfter(changed.blog, range)];
    const isInsertion = range[0] === range[1];
    if (changed.blog.length === 0) add('file', fileRange, blogRange);
    else if (changed.file.length === 0) add('blog', fileRange, blogRange);
    else if (isDeepStrictEqual(file.slice(...fileRange), blog.slice(...blogRange))) add('both', fileRange, blogRange);
    else if (isInsertion && base) {
      add('file', fileRange, [blogAt, blogAt]);
      add('blog', [fileRange[1], fileRange[1]], blogRange);
    } else add('conflict', fileRange, blogRange);
    [at, fileAt, blogAt] = [range[1], fileRange[1], blogRange[1]];
  }
  add('both', [fileAt, file.length], [blogAt, blog.length]);
  return parts;
}

function commonBlocks(one: readonly string[], other: readonly string[]): string[] {
  return diffArrays([...one], [...other]).flatMap(({ added, removed, value }) => (added || removed ? [] : value));
}

/** Returns the changes in order. A replacement by the same number of blocks becomes one change per block. */
function changesBetween(base: readonly string[], version: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [from, own] = [0, 0];
  let removed = 0;
  const end = (added: number) => {
    if (removed === added) for (let i = 0; i < added; i++) changes.push(changeOf(from + i, 1, own + i, 1));
    else changes.push(changeOf(from, removed, own, added));
    from += removed;
    own += added;
    removed = 0;
  };
  for (const part of diffArrays([...base], [...version])) {
    if (part.removed) removed = part.value.length;
    else if (part.added) end(part.value.length);
    else {
      if (removed > 0) end(0);
      from += part.value.length;
      own += part.value.length;
    }
  }
  if (removed > 0) end(0);
  return changes;
}

const changeOf = (from: number, removed: number, own: number, added: number): Change => ({
  base: [from, from + removed],
  own: [own, own + added],
});

interface Group {
  readonly range: [from: number, to: number];
  readonly changed: { readonly file: Change[]; readonly blog: Change[] };
}

/** Groups the changes from both sides whose ranges in the base overlap. */
function groupsOf(sides: Group['changed']): Group[] {
  const all = (['file', 'blog'] as const)
    .flatMap((side) => sides[side].map((change) => ({ side, change })))
    .sort((one, other) => one.change.base[0] - other.change.base[0] || one.change.base[1] - other.change.base[1]);
  const groups: Group[] = [];
  for (const { side, change } of all) {
    const last = groups.at(-1);
    if (last && meets(last.range, change.base)) last.range[1] = Math.max(last.range[1], change.base[1]);
    else groups.push({ range: [...change.base], changed: { file: [], blog: [] } });
    groups.at(-1)?.changed[side].push(change);
  }
  return groups;
}

/** Returns true if the ranges share a block, or are insertions at the same place. */
const meets = ([from, to]: Range, [start, end]: Range): boolean =>
  (start < to && end > from) || (from === to && start === end && from === start);

/** Returns how many blocks a range of the base contains after these changes. */
const sizeAfter = (changes: readonly Change[], [from, to]: Range): number =>
  changes.reduce((size, { base, own }) => size + (own[1] - own[0]) - (base[1] - base[0]), to - from);
