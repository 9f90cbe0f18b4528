/** Finds the Markdown source of each block of a text that was converted to HTML. */
import { diffArrays } from 'diff';
import { parseHtml, textIn } from '#blog/content/tree.ts';
import { markdownParser } from '#transfer/markdown/markdown.ts';
import type { Range } from './merge.ts';

const WORD = /\]\([^)\n]*\)|<[^>\n]*>|\bhttps?:\/\/[^\s)>\]]+|(?<word>[\p{L}\p{N}\p{M}]+)/gu;

/** Returns a text's words with their offsets. Skips URLs and tags, which differ between Markdown and HTML. */
export const wordsOf = (text: string): { readonly word: string; readonly index: number }[] =>
  Array.from(text.matchAll(WORD), ({ index, groups: { word = '' } = {} }) => ({ word, index })).filter(
    ({ word }) => word !== '',
  );

interface Node {
  readonly type: string;
  readonly range: Range;
}

/**
 * Returns the range of each block in the Markdown; undefined for a block that cannot be found. Several blocks may share
 * a range. Matches Markdown and blocks by their words, because the conversion keeps the words in order in every
 * dialect.
 */
export function locateBlocks(markdown: string, blocks: readonly string[]): (Range | undefined)[] {
  const nodes = nodesIn(markdown);
  const placed = (text: string, place: number) => wordsOf(text).map(({ word }) => ({ word, place }));
  const source = nodes.flatMap(({ range }, place) => placed(markdown.slice(...range), place));
  const words = blocks.flatMap((html, place) => placed(textIn(parseHtml(html)), place));
  const votes = blocks.map(() => new Map<number, number>());
  for (const [from, to] of matches(source, words)) {
    const ballot = votes[to.place];
    ballot?.set(from.place, (ballot.get(from.place) ?? 0) + 1);
  }
  const found = votes.map(nodesOf);
  fillGaps(found, nodes);
  return found.map((range) => range && [nodes[range[0]]?.range[0] ?? 0, nodes[range[1]]?.range[1] ?? 0]);
}

/** Yields the pairs of items that remain when a shortest edit turns one list into the other. */
export function* matches<Item extends { readonly word: string }>(
  one: readonly Item[],
  other: readonly Item[],
): Generator<[Item, Item]> {
  let [a, b] = [0, 0];
  for (const { added, removed, count } of diffArrays(
    one.map(({ word }) => word),
    other.map(({ word }) => word),
  )) {
    for (let at = 0; at < count && !added && !removed; at++) yield [one[a + at] as Item, other[b + at] as Item];
    if (!added) a += count;
    if (!removed) b += count;
  }
}

const nodesIn = (markdown: string): Node[] =>
  markdownParser.parse(markdown).children.map(({ type, position }) => ({
    type,
    range: [position?.start.offset ?? 0, position?.end.offset ?? 0],
  }));

/** Returns the first and the last node that have enough of a block's words. A few words may match by chance. */
function nodesOf(votes: ReadonlyMap<number, number>): Range | undefined {
  const most = Math.max(0, ...votes.values());
  const places = [...votes].filter(([, count]) => count * 4 >= most).map(([place]) => place);
  return places.length === 0 ? undefined : [Math.min(...places), Math.max(...places)];
}

const WITHOUT_BLOCK = new Set(['definition', 'footnoteDefinition']);

/** Assigns the nodes between two found blocks to the blocks between them that have no words, such as pictures. */
function fillGaps(found: (Range | undefined)[], nodes: readonly Node[]): void {
  for (let from = 0; from < found.length; from++) {
    if (found[from]) continue;
    let to = from;
    while (to < found.length && !found[to]) to++;
    const before = found.slice(0, from).reduce((last, range) => Math.max(last, range?.[1] ?? -1), -1);
    const after = found[to]?.[0] ?? nodes.length;
    const free = nodes.map((_, at) => at).slice(before + 1, after);
    const candidates = free.filter((at) => !WITHOUT_BLOCK.has(nodes[at]?.type ?? ''));
    if (candidates.length === to - from) for (const [i, at] of candidates.entries()) found[from + i] = [at, at];
    from = to;
  }
}
