/** Writes a merged text into the file's Markdown. Leaves the Markdown of unchanged blocks byte for byte as it was. */
import { diffArrays } from 'diff';
import { parseHtml, textIn } from '#blog/content/tree.ts';
import { markdownParser } from '#transfer/markdown/markdown.ts';
import type { Range } from './merge.ts';

/** Blocks that replace a range of the file's blocks. In a conflict, both versions are written. */
export interface Change {
  readonly file: Range;
  readonly blocks: readonly string[];
  readonly isConflict: boolean;
}

export interface RewriteOptions {
  /** Converts blocks to Markdown. */
  readonly write: (blocks: readonly string[]) => string;
  /** False to rewrite changed blocks from their HTML instead of patching their words. */
  readonly patches: boolean;
}

const [OURS, MIDDLE, THEIRS] = ['<<<<<<< file', '=======', '>>>>>>> blog'];

/** Returns true if the text has one of this sync's marks, or a complete set of git's marks outside code. */
export const hasConflict = (markdown: string): boolean =>
  new RegExp(`^(?:${OURS}|${THEIRS})[ \\t]*\\r?$`, 'm').test(markdown) ||
  /^<{7} [\s\S]*^={7}\s[\s\S]*^>{7} /m.test(markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, ''));

const MARKED = new RegExp(`^${OURS}[ \\t]*\\r?\\n([\\s\\S]*?)^${THEIRS}[ \\t]*\\r?$`, 'gm');
const DIVIDER = new RegExp(`^${MIDDLE}[ \\t]*\\r?\\n`, 'm');

/** Returns the text with only one side of each conflict. */
export const sideOf = (markdown: string, side: 'file' | 'blog'): string =>
  markdown.replace(MARKED, (_, both: string) => {
    // A second divider can only belong to the file's side, where it underlines a heading.
    const parts = both.split(DIVIDER);
    const own = side === 'blog' ? (parts.at(-1) ?? '') : parts.slice(0, -1).join(`${MIDDLE}\n`);
    return own.trimEnd();
  });

/** Returns both versions between conflict marks in git's style. */
export const conflictOf = (file: string, blog: string): string =>
  [OURS, file.trimEnd(), MIDDLE, blog, THEIRS].filter(Boolean).join('\n');

/**
 * Returns the changed Markdown; undefined if a changed block cannot be found in it.
 * @param blocks the Markdown's blocks as HTML
 * @param changes in order
 */
export function rewriteMarkdown(
  markdown: string,
  blocks: readonly string[],
  changes: readonly Change[],
  { write, patches }: RewriteOptions,
): string | undefined {
  const places = locateBlocks(markdown, blocks);
  let [text, at] = ['', 0];
  for (const change of changes) {
    const place = rangeOf(change.file, places);
    if (!place || place[0] < at) return undefined;
    text += markdown.slice(at, place[0]);
    at = place[1];
    const source = markdown.slice(...place);
    const words = change.isConflict
      ? conflictOf(source, write(change.blocks))
      : (patchedIn(source, change) ?? write(change.blocks));
    if (words === '') text = text.trimEnd();
    else if (source === '') text = `${text.trim() === '' ? text : `${text.trimEnd()}\n\n`}${words}`;
    else text += words;
    if (source === '' && words !== '' && !/^\s*?(?:\n\n|$)/.test(markdown.slice(at))) text += '\n\n';
  }
  return text + markdown.slice(at);

  function patchedIn(source: string, change: Change): string | undefined {
    const [from, to] = change.file;
    const [before, after] = [blocks[from], change.blocks[0]];
    const isOne = to - from === 1 && change.blocks.length === 1 && before !== undefined && after !== undefined;
    return isOne && patches ? patchWords(source, before, after, markdown) : undefined;
  }
}

/**
 * Returns the range of the given blocks in the Markdown, or the place at which to insert blocks if none are given.
 * Returns undefined if a given block was not found or shares its place with another block.
 */
function rangeOf([from, to]: Range, places: readonly (Range | undefined)[]): Range | undefined {
  const inside = places.slice(from, to);
  if (inside.includes(undefined)) return undefined;
  const isKnown = (place: Range | undefined) => place !== undefined;
  const [before, after] = [places.slice(0, from).findLast(isKnown)?.[1] ?? 0, places.slice(to).find(isKnown)?.[0]];
  const [start, end] = [inside[0]?.[0] ?? before, inside.at(-1)?.[1] ?? before];
  return before <= start && end <= (after ?? end) ? [start, end] : undefined;
}

const TOKEN = /<[^>]*>|&[^;\s]+;|[\p{L}\p{N}\p{M}]+|\s+|./gsu;
const IS_WORD = /^[\p{L}\p{N}\p{M}]+$/u;

interface Anchor {
  /** Indexes of a word in the tokens of both versions. */
  readonly before: number;
  readonly after: number;
  /** Offsets of the word in the Markdown. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns a block's Markdown with the words of its new HTML. Returns undefined if the elements differ, or if the place
 * of a change cannot be found. The caller must read the result back, because a new word may contain Markdown.
 * @param definitions Markdown that contains the definitions of the block's reference links
 */
export function patchWords(markdown: string, before: string, after: string, definitions = ''): string | undefined {
  const [old, now] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  const end: Anchor = { before: old.length, after: now.length, from: markdown.length, to: markdown.length };
  const anchors = [...anchorsIn(markdown, old, now), end];
  let last: Anchor = { before: -1, after: -1, from: 0, to: 0 };
  let patched = '';
  for (const anchor of anchors) {
    const zone = markdown.slice(last.to, anchor.from);
    const [removed, added] = [old.slice(last.before + 1, anchor.before), now.slice(last.after + 1, anchor.after)];
    const changed = changeZone(zone, removed, added);
    if (changed === undefined) return undefined;
    patched += changed + markdown.slice(anchor.from, anchor.to);
    last = anchor;
  }
  return before.includes('<a ') ? withLabels(patched, markdown, definitions) : patched;
}

const SHORT_REFERENCE = /\[([^\][]+)\](?:\[\])?(?![[(:])/g;
const WIKI_LINK = /(?<!!)\[\[([^\][|\n]+)\]\]/g;

/** Restores the target of a link such as `[ink]` or `[[Ink]]` if the words that named it have changed. */
function withLabels(patched: string, markdown: string, definitions: string): string {
  const named = (pattern: RegExp) => Array.from(markdown.matchAll(pattern), ([, name = '']) => name);
  const [labels, targets] = [named(SHORT_REFERENCE), named(WIKI_LINK)];
  const isDefined = (label: string) => new RegExp(`^ {0,3}\\[${RegExp.escape(label)}\\]:`, 'im').test(definitions);
  return patched
    .replace(SHORT_REFERENCE, (link, words: string) => {
      const label = labels.shift() ?? words;
      return label !== words && isDefined(label) ? `[${words}][${label}]` : link;
    })
    .replace(WIKI_LINK, (link, words: string) => {
      const target = targets.shift() ?? words;
      return target === words ? link : `[[${target}|${words}]]`;
    });
}

/** Returns the words that occur in both versions and in the Markdown. */
function anchorsIn(markdown: string, old: readonly string[], now: readonly string[]): Anchor[] {
  const source = wordsOf(markdown);
  const words = old.flatMap((word, index) => (IS_WORD.test(word) ? [{ word, index }] : []));
  const places = new Map(Array.from(matches(source, words), ([from, { index }]) => [index, from.index]));
  const anchors: Anchor[] = [];
  let [before, after] = [0, 0];
  for (const { added, removed, value } of diffArrays([...old], [...now])) {
    for (const token of value) {
      const from = added || removed ? undefined : places.get(before);
      if (from !== undefined) anchors.push({ before, after, from, to: from + token.length });
      if (!added) before++;
      if (!removed) after++;
    }
  }
  return anchors;
}

/** Applies a change to the Markdown between two anchors. */
function changeZone(zone: string, old: readonly string[], now: readonly string[]): string | undefined {
  if (old.join('') === now.join('')) return zone;
  if (String(old.filter(isTag)) !== String(now.filter(isTag))) return undefined;
  const wordsAndSigns = (tokens: readonly string[]) => tokens.filter((token) => !isTag(token)).map(decoded);
  const [one, other] = [wordsAndSigns(old), wordsAndSigns(now)];
  let head = 0;
  while (head < one.length && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < Math.min(one.length, other.length) - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [removed, added] = [one, other].map((tokens) => tokens.slice(head, tokens.length - tail).join(''));
  // If no words were removed, searches for the word before the new ones and inserts them after it.
  const known = removed || /\S*\s*$/.exec(one.slice(0, head).join(''))?.[0] || '';
  const place = placeOf(known, zone);
  if (!place) return undefined;
  return zone.slice(0, removed ? place.from : place.to) + added + zone.slice(place.to);
}

const decoded = (token: string): string => (token.startsWith('&') ? textIn(parseHtml(token)) : token);

const isTag = (token: string): boolean => token.startsWith('<');

const DESTINATION = /\](?:\([^\n]*?\)|\[[^\]\n]*\])|<[^>\n]*>/g;

/**
 * Returns where the text occurs in the Markdown. Prefers places outside link destinations. Line breaks may differ.
 * Returns undefined unless exactly one place matches.
 */
function placeOf(text: string, zone: string): { readonly from: number; readonly to: number } | undefined {
  const pattern = new RegExp(text.split(/\s+/).map(RegExp.escape).join('\\s+'), 'g');
  const masked = zone.replace(DESTINATION, (destination) => '\0'.repeat(destination.length));
  const outside = [...masked.matchAll(pattern)];
  const [found, other] = outside.length > 0 ? outside : zone.matchAll(pattern);
  if (text !== '' && (!found || other)) return undefined;
  const from = found?.index ?? 0;
  return { from, to: from + (found?.[0].length ?? 0) };
}

const WORD = /\]\([^)\n]*\)|<[^>\n]*>|\bhttps?:\/\/[^\s)>\]]+|(?<word>[\p{L}\p{N}\p{M}]+)/gu;

/** Returns a text's words with their offsets. Skips URLs and tags, which differ between Markdown and HTML. */
const wordsOf = (text: string): { readonly word: string; readonly index: number }[] =>
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
function locateBlocks(markdown: string, blocks: readonly string[]): (Range | undefined)[] {
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

/** Yields pairs of items with the same word, as matched by a minimal diff of the two lists. */
function* matches<Item extends { readonly word: string }>(
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

/** Returns the first and the last node with enough of a block's words. Nodes with only a few may match by chance. */
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
