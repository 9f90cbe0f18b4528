/** Changes words of a block's Markdown, and leaves its line ends, markers and markup as they are. */
import { diffArrays } from 'diff';
import { parseHtml, textIn } from '#blog/content/tree.ts';
import { matches, wordsOf } from './locate-blocks.ts';

const TOKEN = /<[^>]*>|&[^;\s]+;|[\p{L}\p{N}\p{M}]+|\s+|./gsu;
const IS_WORD = /^[\p{L}\p{N}\p{M}]+$/u;

interface Anchor {
  /** Indexes of the same word in the tokens of both versions. */
  readonly before: number;
  readonly after: number;
  /** The word in the Markdown. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the Markdown of a block with the words of its new HTML. Returns undefined if the elements differ, or if the
 * place of a change cannot be found. The caller checks what the result is read as: a new word may be Markdown.
 * @param definitions the Markdown that defines the block's reference links
 */
export function patchWords(markdown: string, before: string, after: string, definitions = ''): string | undefined {
  const [old, now] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  const start: Anchor = { before: -1, after: -1, from: 0, to: 0 };
  const end: Anchor = { before: old.length, after: now.length, from: markdown.length, to: markdown.length };
  const anchors = [start, ...anchorsIn(markdown, old, now), end];
  let patched = '';
  for (const [at, anchor] of anchors.entries()) {
    const next = anchors[at + 1];
    patched += markdown.slice(anchor.from, anchor.to);
    if (!next) break;
    const zone = markdown.slice(anchor.to, next.from);
    const changed = changeZone(
      zone,
      old.slice(anchor.before + 1, next.before),
      now.slice(anchor.after + 1, next.after),
    );
    if (changed === undefined) return undefined;
    patched += changed;
  }
  return before.includes('<a ') ? withLabels(patched, markdown, definitions) : patched;
}

const SHORT_REFERENCE = /\[([^\][]+)\](?:\[\])?(?![[(:])/g;
const WIKI_LINK = /(?<!!)\[\[([^\][|\n]+)\]\]/g;

/** Adds the target to links such as `[ink]` and `[[Ink]]` whose words, which name it, have changed. */
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

/** Returns the words that both versions and the Markdown have. */
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

/** Returns the Markdown between two words after a change of the text between them. */
function changeZone(zone: string, old: readonly string[], now: readonly string[]): string | undefined {
  if (old.join('') === now.join('')) return zone;
  if (String(old.filter(isTag)) !== String(now.filter(isTag))) return undefined;
  const [one, other] = [old, now].map((tokens) => tokens.filter((token) => !isTag(token)).map(decoded)) as [
    string[],
    string[],
  ];
  let head = 0;
  while (head < one.length && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < Math.min(one.length, other.length) - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [removed, added] = [one, other].map((tokens) => tokens.slice(head, tokens.length - tail).join(''));
  // New words are inserted behind the text before them.
  const known = removed || /\S*\s*$/.exec(one.slice(0, head).join(''))?.[0] || '';
  const place = placeOf(known, zone);
  if (!place) return undefined;
  return zone.slice(0, removed ? place.from : place.to) + added + zone.slice(place.to);
}

const decoded = (token: string): string => (token.startsWith('&') ? textIn(parseHtml(token)) : token);

const isTag = (token: string): boolean => token.startsWith('<');

const DESTINATION = /\](?:\([^\n]*?\)|\[[^\]\n]*\])|<[^>\n]*>/g;

/**
 * Returns where the text stands in the Markdown: outside the destinations of links if it is there, as it is not in code.
 * Lines may be broken elsewhere than in the text. Returns undefined unless the text is there exactly once.
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
