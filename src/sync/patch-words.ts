/** Changes words in a block's Markdown. Leaves its line breaks, markers and markup unchanged. */
import { diffArrays } from 'diff';
import { parseHtml, textIn } from '#blog/content/tree.ts';
import { matches, wordsOf } from './locate-blocks.ts';

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
 * @param definitions the Markdown with the definitions of the block's reference links
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
  // Inserts new words after the text that precedes them.
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
