import type { Element, Nodes, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toHtml } from 'hast-util-to-html';
import { parseFragment } from 'parse5';
import { sanitise } from './sanitise.ts';
import { INLINE } from './text.ts';

export const parseHtml = (html: string): Root => fromParse5(parseFragment(html, { scriptingEnabled: false })) as Root;

/** Returns HTML that browsers parse to the same tree, except that adjacent text nodes are merged. */
export const writeHtml = (tree: Nodes): string => toHtml(tree, { characterReferences: { useNamedReferences: true } });

export function readStored(html: string): { readonly html: string; readonly tree: Root } {
  const clean = sanitise(html);
  return { html: clean, tree: parseHtml(clean) };
}

/** Returns all elements below a node with their parents, in document order. Callers may edit the tree in the loop. */
export function elementsIn(node: Nodes, found: [Element, Parents][] = []): [Element, Parents][] {
  if (!('children' in node)) return found;
  for (const child of node.children) {
    if (child.type === 'element') found.push([child, node]);
    elementsIn(child, found);
  }
  return found;
}

export function textIn(node: Nodes, most = Number.POSITIVE_INFINITY): string {
  const text = collectText(node, most, { text: '' }, () => false).text;
  return text.length > most ? text.slice(0, most).toWellFormed() : text;
}

/** Returns the text below a node with each block on its own line, so that words of adjacent blocks stay apart. */
export function linesIn(node: Nodes): string {
  return collectText(node, Number.POSITIVE_INFINITY, { text: '' }, (tagName) => !INLINE.test(tagName)).text;
}

/** Appends a node's text to `found`, because joining strings at every level would copy nested text repeatedly. */
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

/** Index of each parent's last replaced child. The next search starts there, as replacements are usually in order. */
const lastIn = new WeakMap<Parents, number>();

export function replaceIn(parent: Parents, from: Element, to: Element): void {
  const children = parent.children as Element[];
  const behind = children.indexOf(from, lastIn.get(parent) ?? 0);
  const at = behind < 0 ? children.indexOf(from) : behind;
  children[at] = to;
  lastIn.set(parent, at);
}
