import type { Nodes } from 'hast';
import { DROPPED } from '#blog/content/allowlist.ts';
import { EMBEDS } from './embeds.ts';

const INLINE = /^(?:a|b|code|del|em|font|i|kbd|mark|s|small|span|strong|sub|sup|u)$/;

export const WORD = /[\p{L}\p{N}\p{M}]+/gu;

export const wordsIn = (node: Nodes): string[] => readText(node).normalize('NFC').match(WORD) ?? [];

export function missingFrom<Item extends { readonly word: string }>(
  source: readonly Item[],
  post: readonly string[],
): Item[] {
  const left = new Map<string, number>();
  for (const word of post) left.set(word, (left.get(word) ?? 0) + 1);
  return source.filter(({ word }) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

function readText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  // Replaces a footnote's number with a space. The importer changes the number, which may directly follow a word.
  if (node.type === 'element' && 'dataFootnoteRef' in node.properties) return ' ';
  if (node.type === 'element' && (DROPPED.includes(node.tagName) || EMBEDS.includes(node.tagName))) return '';
  const inner = node.children.map(readText).join('');
  // An inline element may end inside a word: <b>w</b>ord.
  return node.type === 'element' && !INLINE.test(node.tagName) ? ` ${inner} ` : inner;
}
