/** Writes Markdown that the importer reads back exactly. Blocks that would be read differently become HTML. */

import type { Element, RootContent } from 'hast';
import type { RootContent as MarkdownContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { parseHtml } from '#blog/content/tree.ts';
import { storedHtml } from '../html/conform.ts';
import { type OwnForm, readOwnText } from '../markdown/own-text.ts';
import { markdownOf, mentionsNotes, rawBlock } from './to-markdown.ts';

export interface WrittenText {
  readonly body: string;
  readonly form: OwnForm;
  readonly html: string;
  readonly blocks: number;
  readonly raw: number;
}

const style = { bullet: '-', fences: true, rule: '-', resourceLink: false, listItemIndent: 'one' } as const;
const gfm = { tablePipeAlign: false };
const plainWriter = unified().use(remarkGfm, gfm).use(remarkStringify, style).freeze();
const formulaWriter = unified().use(remarkGfm, gfm).use(remarkMath).use(remarkStringify, style).freeze();

/** Maximum number of attempts to write Markdown that reads back exactly. If all fail, the entire text becomes HTML. */
const MOST_READINGS = 20;

/** Converts a post's text. The result's `html` is the stored form (docs/content.md) that importing `body` produces. */
export function writeText(content: string): WrittenText {
  const html = settled(content);
  const hasMathematics = html.includes('<code class="language-math">');
  const looksCompact = !/>\n+</.test(html);
  const first = attempt(html, { text: 'markdown', isCompact: looksCompact, hasMathematics });
  if (first && first.raw === 0) return first;
  const other = attempt(html, { text: 'markdown', isCompact: !looksCompact, hasMathematics });
  const [best] = [first, other].filter((each) => each !== undefined).sort((one, two) => one.raw - two.raw);
  return best ?? { body: html, form: { text: 'html', isCompact: false, hasMathematics }, html, blocks: 0, raw: 0 };
}

function settled(content: string): string {
  let html = content;
  for (let pass = 0, before = ''; before !== html && pass < 10; pass++) {
    before = html;
    html = storedHtml(parseHtml(html));
  }
  return html;
}

interface Piece {
  readonly nodes: readonly RootContent[];
  readonly html: string;
  isRaw: boolean;
}

function attempt(html: string, form: OwnForm): WrittenText | undefined {
  const pieces = piecesOf(html, form);
  if (!pieces) return undefined;
  let hasNotes = true;
  for (const piece of pieces)
    if (!mentionsNotes(piece.html)) piece.isRaw ||= readBack(bodyOf([piece], form, false), form) !== piece.html;
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const body = bodyOf(pieces, form, hasNotes);
    if (readBack(body, form) === html)
      return { body, form, html, blocks: blocksIn(pieces), raw: blocksIn(pieces.filter(({ isRaw }) => isRaw)) };
    const other = firstOther(pieces, body, form);
    if (other && !other.isRaw && !(hasNotes && mentionsNotes(other.html))) other.isRaw = true;
    else if (hasNotes) {
      hasNotes = false;
      for (const piece of pieces) piece.isRaw ||= mentionsNotes(piece.html);
    } else return undefined;
  }
  return undefined;
}

const blocksIn = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { nodes }) => sum + nodes.filter(({ type }) => type === 'element').length, 0);

/**
 * Splits HTML into its blocks. Keeps two blocks together if the white space between them does not match `isCompact`.
 * Returns undefined if the top level contains text or an element that is not in `BLOCKS`.
 */
function piecesOf(html: string, { isCompact }: OwnForm): Piece[] | undefined {
  const pieces: { nodes: RootContent[]; isRaw: boolean }[] = [];
  let between = '';
  for (const node of parseHtml(html).children) {
    if (node.type === 'text' && node.value.trim() === '') between += node.value;
    else if (node.type !== 'element' || !BLOCKS.has(node.tagName)) return undefined;
    else {
      const last = pieces.at(-1);
      if (!last || between === (isCompact ? '' : '\n')) pieces.push({ nodes: [node], isRaw: false });
      else {
        last.nodes.push(...(between ? [{ type: 'text', value: between } as const] : []), node);
        last.isRaw = true;
      }
      between = '';
    }
  }
  return pieces.map((piece) => ({ ...piece, html: storedHtml({ type: 'root', children: [...piece.nodes] }) }));
}

/** Elements that begin a block of HTML in Markdown (CommonMark 4.6). */
const BLOCKS = new Set('blockquote figure h1 h2 h3 h4 h5 h6 hr ol p pre section table ul'.split(' '));

function bodyOf(pieces: readonly Piece[], form: OwnForm, hasNotes: boolean): string {
  const children = pieces.flatMap((piece): MarkdownContent[] => {
    const written = piece.isRaw ? undefined : markdownOf(piece.nodes[0] as Element, { ...form, hasNotes });
    piece.isRaw = !written;
    return written ?? [rawBlock(piece.nodes)];
  });
  return (form.hasMathematics ? formulaWriter : plainWriter).stringify({ type: 'root', children });
}

const readBack = (body: string, form: OwnForm): string => storedHtml(readOwnText(body, form));

function firstOther(pieces: readonly Piece[], body: string, form: OwnForm): Piece | undefined {
  const read = readOwnText(body, form).children.filter((node) => node.type === 'element');
  let at = 0;
  for (const piece of pieces) {
    const blocks = piece.nodes.filter(({ type }) => type === 'element');
    const isSame = blocks.every((block) => {
      const found = read[at++];
      return (
        found && storedHtml({ type: 'root', children: [found] }) === storedHtml({ type: 'root', children: [block] })
      );
    });
    if (!isSame) return piece;
  }
  return undefined;
}
