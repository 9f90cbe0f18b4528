/** Stored HTML in, stored HTML out: exact inverses on what `blog/content/sanitise` lets through (docs/content.md). */

import { Fragment, type Node, type Schema } from '@milkdown/kit/prose/model';
import { type PlainBlock, readPlain } from './plain-blocks.ts';
import { isInline, signature, standsInLine, withListsInItems } from './signature.ts';
import { htmlIn, writeFragment } from './stored-html.ts';
import { readItem, readOrder, storedBody, storedParser } from './stored-rules.ts';

/** The document that `html` tells. What the editor cannot represent stands in it as an opaque block with its source. */
export function readStored(schema: Schema, html: string): Node {
  const blocks: Node[] = [];
  let at = 0;
  for (;;) {
    const from = behindSpace(html, at);
    const plain = takePlain(schema, html, from);
    if (!plain) break;
    blocks.push(plain.node);
    at = plain.end;
  }
  const rest = html.slice(at);
  if (rest) blocks.push(...readBlocks(schema, storedBody(rest), rest));
  return schema.topNodeType.createAndFill(null, Fragment.from(blocks)) ?? (schema.topNodeType.createAndFill() as Node);
}

/** The HTML of a document, without the empty paragraphs at its end. Blocks that were not changed are as they were read. */
export function writeStored(doc: Node): string {
  return writeBlocks(doc, (block) => blocksGiven.get(block) ?? writtenBlock(block));
}

/** The same, each block written as the editor writes it, however it came. */
export function writeAnew(doc: Node): string {
  return writeBlocks(doc, writtenBlock);
}

function writeBlocks(doc: Node, write: (block: Node) => Written): string {
  let end = doc.childCount;
  while (end > 0 && isEmptyParagraph(doc.child(end - 1))) end -= 1;
  const blocks = childrenOf(doc).slice(0, end);
  const written = blocks.map(write);
  const ids = written.flatMap((block) => block.ids);
  if (new Set(ids).size === ids.length) return written.map(({ html }) => html).join('');
  // A note was copied: only the whole shows which one is first.
  return htmlIn(writeFragment(doc.type.schema, Fragment.from(blocks)));
}

interface Written {
  readonly html: string;
  readonly ids: readonly string[];
}

/** Nodes never change: what one was written as holds for as long as it is there. */
const blocksWritten = new WeakMap<Node, Written>();
/** Blocks that came in other letters than the editor's: marks nested otherwise, a quotation of bare words. */
const blocksGiven = new WeakMap<Node, Written>();

function writtenBlock(node: Node): Written {
  const known = blocksWritten.get(node);
  if (known) return known;
  const written = writtenIn(writeFragment(node.type.schema, Fragment.from(node)));
  blocksWritten.set(node, written);
  return written;
}

function writtenIn(body: HTMLElement): Written {
  return { html: htmlIn(body), ids: [...body.querySelectorAll('[id]')].map(({ id }) => id) };
}

/**
 * Block by block: one that does not come back as it was is taken apart, and if that does not help, kept as source. `html`
 * is what `parent` was made of: as long as it is written as we write it, plain blocks are read there.
 */
function readBlocks(schema: Schema, parent: HTMLElement, html: string): Node[] {
  const blocks: Node[] = [];
  let at: number | undefined = 0;
  for (const nodes of groups(parent)) {
    const from: number | undefined = at === undefined ? undefined : behindSpace(html, at);
    const plain: PlainBlock | undefined = from === undefined ? undefined : takePlain(schema, html, from);
    if (plain) {
      blocks.push(plain.node);
      at = plain.end;
      continue;
    }
    const group = parent.ownerDocument.createElement('body');
    group.append(...nodes.map((node) => node.cloneNode(true)));
    const own = htmlIn(group);
    at = from !== undefined && html.startsWith(own, from) ? from + own.length : undefined;
    const respelt = at === undefined ? takePlain(schema, own, 0) : undefined;
    if (respelt?.end === own.length) blocks.push(respelt.node);
    else {
      const read = readGroup(schema, group);
      const [only] = read;
      // Loose words are no block of their own: beside others they would run together.
      const whole = at !== undefined && read.length === 1 && nodes[0] && !isInline(nodes[0]);
      if (whole && only) blocksGiven.set(only, writtenIn(group));
      blocks.push(...read);
    }
  }
  return blocks;
}

/** The place of what is no white space, from `at` on. */
function behindSpace(html: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(html);
  return SPACE.lastIndex;
}
const SPACE = /[ \t\r\n\f]*/y;

/** A plain block that is written again as it came. */
function takePlain(schema: Schema, html: string, from: number): PlainBlock | undefined {
  const plain = readPlain(schema, html, from);
  if (plain) blocksWritten.set(plain.node, { html: plain.html, ids: [] });
  return plain;
}

function readGroup(schema: Schema, group: HTMLElement): Node[] {
  if (isEmpty(group)) return [];
  const parsed = storedParser(schema).parse(withListsInItems(group), { topNode: schema.topNodeType.create() });
  const nodes = childrenOf(parsed);
  if (same(schema, group, nodes)) return nodes;
  const only = group.firstElementChild;
  const apart = only instanceof HTMLElement ? takeApart(schema, only) : undefined;
  if (apart && same(schema, group, [apart])) return [apart];
  const opaque = schema.nodes.opaque;
  return opaque ? [opaque.create({ source: htmlIn(group) })] : nodes;
}

/** A body without anything in it that shows. */
const isEmpty = (group: HTMLElement) => group.textContent?.trim() === '' && signature(group) === '';

function same(schema: Schema, group: HTMLElement, nodes: readonly Node[]): boolean {
  // Most blocks are written as they came, which is told at once.
  const [only] = nodes;
  if (only && nodes.length === 1 && writtenBlock(only).html === htmlIn(group)) return true;
  return signature(group) === signature(writeFragment(schema, Fragment.from([...nodes])));
}

/** A quotation or list whose parts are read one by one, so that one odd part does not close the whole. */
function takeApart(schema: Schema, element: HTMLElement): Node | undefined {
  const { blockquote, bullet_list, ordered_list, list_item, footnotes } = schema.nodes;
  const inside = (part: HTMLElement) => Fragment.from(readBlocks(schema, part, htmlIn(part)));
  try {
    if (element.matches('blockquote')) return blockquote?.createChecked(null, inside(element));
    if (element.matches('section[data-footnotes]')) return footnotes?.createChecked(null, inside(element));
    if (element.matches('ul, ol')) {
      const items = [...element.children].map((item) =>
        list_item?.createChecked(readItem(item as HTMLElement), inside(item as HTMLElement)),
      );
      const type = element.matches('ol') ? ordered_list : bullet_list;
      return type?.createChecked(element.matches('ol') ? readOrder(element) : null, items as Node[]);
    }
  } catch {
    // Not a document of this schema: the caller keeps the source.
  }
  return undefined;
}

/** Each block, or each run of loose words between blocks, by itself. */
function groups(parent: HTMLElement): ChildNode[][] {
  const found: ChildNode[][] = [];
  let loose = false;
  for (const node of parent.childNodes) {
    if (node.nodeType === window.Node.TEXT_NODE && !loose && !/[^ \t\r\n\f]/.test(node.textContent ?? '')) continue;
    const inLine = standsInLine(node);
    if (!inLine || !loose) {
      found.push([]);
      loose = inLine;
    }
    found.at(-1)?.push(node);
  }
  return found;
}

const isEmptyParagraph = (node: Node) => node.type.name === 'paragraph' && node.childCount === 0;

function childrenOf(doc: Node): Node[] {
  const children: Node[] = [];
  doc.forEach((child) => {
    children.push(child);
  });
  return children;
}
