/** HTML as a tree, and the few questions asked of a tree. */

import type { Element, Nodes, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

/** Parses a fragment exactly as a browser would. */
export const parseHtml = (html: string): Root => fromParse5(parseFragment(html, { scriptingEnabled: false })) as Root;

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

/** All text below a node, as it stands, or the first `most` characters of it. */
export function textIn(node: Nodes, most = Number.POSITIVE_INFINITY): string {
  const text = collectText(node, most, { text: '' }, () => false).text;
  return text.length > most ? text.slice(0, most).toWellFormed() : text;
}

/** Elements that stand inside a line. */
const INLINE = /^(?:a|code|del|em|img|mark|strong|sub|sup|u)$/;

/** All text below a node, each block on a line of its own: its last word does not run into the next block's first. */
export function linesIn(node: Nodes): string {
  return collectText(node, Number.POSITIVE_INFINITY, { text: '' }, (tagName) => !INLINE.test(tagName)).text;
}

/** One growing text: joined level by level, what lies deep would be copied at each. */
function collectText(
  node: Nodes,
  most: number,
  found: { text: string },
  endsLine: (tagName: string) => boolean,
): { text: string } {
  if (node.type === 'text') found.text += node.value;
  if (!('children' in node)) return found;
  for (const child of node.children) {
    if (found.text.length > most) return found;
    collectText(child, most, found, endsLine);
  }
  if (node.type === 'element' && endsLine(node.tagName)) found.text += '\n';
  return found;
}

/** Where the last replacement in a parent was: the next one is mostly asked for behind it. */
const lastIn = new WeakMap<Parents, number>();

/** Puts `to` where `from` was. */
export function replaceIn(parent: Parents, from: Element, to: Element): void {
  const children = parent.children as Element[];
  const behind = children.indexOf(from, lastIn.get(parent) ?? 0);
  const at = behind < 0 ? children.indexOf(from) : behind;
  children[at] = to;
  lastIn.set(parent, at);
}
