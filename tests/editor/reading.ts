import type { Element, Nodes } from 'hast';
import { parseHtml } from '#blog/content/tree.ts';

const INLINE = new Set(['strong', 'em', 'del', 'u', 'sub', 'sup', 'mark', 'code', 'a', 'img', 'br']);
const isInline = (node: Nodes): boolean =>
  node.type === 'text' || (node.type === 'element' && INLINE.has(node.tagName));

/**
 * Lists each block with its attributes and letters, one line each. Texts with equal lines look the same to readers.
 * The editor's own comparison is not used, because the tests use this function to check the editor.
 */
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

/** Lists each letter with its marks; a run of white space is one space without marks. */
function lettersOf(node: Nodes, marks: readonly string[], verbatim: boolean): string[] {
  if (node.type === 'text') {
    const text = verbatim ? node.value : node.value.replace(/[ \t\r\n\f]+/g, ' ');
    return [...text].map((letter) => (letter === ' ' && !verbatim ? ' ' : `${letter}${marks.join('')}`));
  }
  if (node.type !== 'element') return [];
  const own = `<${described(node)}>`;
  if (node.tagName === 'img' || node.tagName === 'br') return [node.tagName === 'br' ? own : own + marks.join('')];
  // A link without attributes counts as plain text.
  const inside = own === '<a>' ? marks : [...marks, own].sort();
  return node.children.flatMap((child) => lettersOf(child, inside, verbatim));
}

/** Removes invisible spaces: at the ends, after another space and next to a break. */
function trimmed(letters: readonly string[]): string {
  const single = letters.filter((letter, index) => letter !== ' ' || letters[index - 1] !== ' ');
  return single
    .filter((letter, index) => letter !== ' ' || (shows(single[index - 1]) && shows(single[index + 1])))
    .join('');
}

const shows = (letter: string | undefined) => letter !== undefined && letter !== '<br>';
