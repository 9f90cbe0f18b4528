/**
 * What a reader reads, letter by letter: each block's place among its neighbours, and each letter with the marks it
 * carries. Written without the editor's own idea of sameness, to judge it.
 */
import type { Element, Nodes } from 'hast';
import { parseHtml } from '#blog/content/tree.ts';

const INLINE = new Set(['strong', 'em', 'del', 'u', 'sub', 'sup', 'mark', 'code', 'a', 'img', 'br']);
const isInline = (node: Nodes): boolean =>
  node.type === 'text' || (node.type === 'element' && INLINE.has(node.tagName));

/** One line for each block, with its attributes and letters. Two texts with the same lines are read the same. */
export function reading(html: string): string[] {
  const lines: string[] = [];
  block(parseHtml(html), '', lines);
  return lines;
}

function block(node: Nodes, path: string, lines: string[]): void {
  if (!('children' in node)) return;
  let letters: string[] = [];
  let number = 0;
  const flush = () => {
    const line = trimmed(letters);
    letters = [];
    if (line) lines.push(`${path}: ${line}`);
  };
  for (const child of node.children) {
    if (isInline(child)) letters.push(...lettersOf(child, [], path.includes('pre')));
    else if (child.type === 'element') {
      flush();
      number += 1;
      const below = `${path}/${number}${described(child)}`;
      lines.push(below);
      block(child, below, lines);
    }
  }
  flush();
}

function described({ tagName, properties }: Element): string {
  const named = Object.entries(properties).map(([name, value]) => ` ${name}=${JSON.stringify(String(value))}`);
  return `${tagName}${named.sort().join('')}`;
}

/** Each letter with its marks, in any order; a run of white space is one space, without marks. */
function lettersOf(node: Nodes, marks: readonly string[], verbatim: boolean): string[] {
  if (node.type === 'text') {
    const text = verbatim ? node.value : node.value.replace(/[ \t\r\n\f]+/g, ' ');
    return [...text].map((letter) => (letter === ' ' && !verbatim ? ' ' : `${letter}${marks.join('')}`));
  }
  if (node.type !== 'element') return [];
  const own = `<${described(node)}>`;
  if (node.tagName === 'img' || node.tagName === 'br') return [node.tagName === 'br' ? own : own + marks.join('')];
  // A link to nowhere is its words.
  const inside = own === '<a>' ? marks : [...marks, own].sort();
  return node.children.flatMap((child) => lettersOf(child, inside, verbatim));
}

/** Spaces at the ends, behind another space and beside a break show nothing. */
function trimmed(letters: readonly string[]): string {
  const single = letters.filter((letter, index) => letter !== ' ' || letters[index - 1] !== ' ');
  return single
    .filter((letter, index) => letter !== ' ' || (shows(single[index - 1]) && shows(single[index + 1])))
    .join('');
}

const shows = (letter: string | undefined) => letter !== undefined && letter !== '<br>';
