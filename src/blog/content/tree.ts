/** HTML as a tree and back, and the few questions asked of a tree. */

import type { Element, Nodes, Parents, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeStringify from 'rehype-stringify';
// Declares the `raw` node.
import type {} from 'remark-rehype';
import { unified } from 'unified';

const reader = unified().use(rehypeRaw).freeze();
const writer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze();

/** Parses a fragment exactly as a browser would. */
export const parseHtml = (html: string): Root =>
  reader.runSync({ type: 'root', children: [{ type: 'raw', value: html }] });

export const writeHtml = (tree: Root): string => writer.stringify(tree);

/** Every element below a node with the parent that holds it, in document order. Collected first, so that callers may change the tree. */
export function elementsIn(node: Nodes): [Element, Parents][] {
  const found: [Element, Parents][] = [];
  collect(node, found);
  return found;
}

function collect(node: Nodes, found: [Element, Parents][]): void {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type === 'element') found.push([child, node]);
    collect(child, found);
  }
}

/** All text below a node, as it stands. */
export function textIn(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textIn).join('') : '';
}

/** Elements that stand inside a line. */
const INLINE = /^(?:a|code|del|em|img|mark|strong|sub|sup|u)$/;

/** All text below a node, each block on a line of its own: its last word does not run into the next block's first. */
export function linesIn(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  const text = node.children.map(linesIn).join('');
  return node.type === 'element' && !INLINE.test(node.tagName) ? `${text}\n` : text;
}

/** Puts `to` where `from` was. */
export function replaceIn(parent: Parents, from: Element, to: Element): void {
  (parent.children as Element[])[(parent.children as Element[]).indexOf(from)] = to;
}
