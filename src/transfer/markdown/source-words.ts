/** Reads the words of a Markdown source directly, because the HTML parser may drop some. */

import type { Nodes, Parents } from 'mdast';
import { parseHtml, textIn } from '#blog/content/tree.ts';
import type { SourceWord } from '../document.ts';
import { EMBEDS } from '../html/embeds.ts';
import { WORD } from '../html/words.ts';

const UNREAD = new Set([...'script style template select noscript svg math textarea title'.split(' '), ...EMBEDS]);
const TAG = /<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([A-Za-z][\w.:-]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/g;
const INLINE = /^(?:a|abbr|b|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|var)$/i;

interface Piece {
  readonly text: string;
  readonly line: number;
  readonly tag?: { readonly name: string; readonly isEnd: boolean };
}

export function wordsOfMarkdown(tree: Nodes, lines = 0): SourceWord[] {
  const pieces = withoutUnread(piecesOf(tree, 1));
  const starts: { at: number; line: number }[] = [];
  let text = '';
  for (const piece of pieces) {
    starts.push({ at: text.length, line: piece.line });
    text += piece.text;
  }
  const words: SourceWord[] = [];
  let next = 0;
  for (const match of text.normalize('NFC').matchAll(WORD)) {
    while (starts[next + 1] && (starts[next + 1]?.at ?? 0) <= match.index) next++;
    words.push({ word: match[0], line: lines + (starts[next]?.line ?? 1) });
  }
  return words;
}

function piecesOf(node: Nodes, above: number): Piece[] {
  const line = node.position?.start.line ?? above;
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'inlineMath':
      return [{ text: node.value, line }];
    case 'code':
    case 'math':
      return [
        { text: ' ', line },
        ...node.value.split('\n').map((each, at) => ({ text: `${each} `, line: line + 1 + at })),
      ];
    case 'html':
      return piecesOfHtml(node.value, line);
    case 'break':
      return [{ text: ' ', line }];
  }
  if (!('children' in node)) return [];
  const inner = (node as Parents).children.flatMap((child) => piecesOf(child, line));
  const isInline = /^(?:emphasis|strong|delete|link|linkReference|mdxJsxTextElement)$/.test(node.type);
  return isInline ? inner : [{ text: ' ', line }, ...inner, { text: ' ', line }];
}

function piecesOfHtml(html: string, line: number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (end: number) => {
    const text = html.slice(at, end);
    const from = line + html.slice(0, at).split('\n').length - 1;
    for (const [index, each] of text.split('\n').entries())
      pieces.push({ text: `${index > 0 ? ' ' : ''}${decoded(each)}`, line: from + index });
  };
  for (const match of html.matchAll(TAG)) {
    add(match.index);
    at = match.index + match[0].length;
    const [, end, name] = match;
    if (name)
      pieces.push({
        text: INLINE.test(name) ? '' : ' ',
        line: pieces.at(-1)?.line ?? line,
        tag: { name: name.toLowerCase(), isEnd: end !== '' },
      });
  }
  add(html.length);
  return pieces;
}

const decoded = (text: string): string => (text.includes('&') ? textIn(parseHtml(text.replaceAll('<', '&lt;'))) : text);

/** Omits the content of elements that readers do not see. Keeps text after an unclosed element such as `<title>`. */
function withoutUnread(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    kept.push(piece);
    const { tag } = piece;
    if (!tag || tag.isEnd || !UNREAD.has(tag.name)) continue;
    const end = pieces.findIndex((each, index) => index > at && each.tag?.isEnd && each.tag.name === tag.name);
    if (end > 0) at = end;
  }
  return kept;
}
