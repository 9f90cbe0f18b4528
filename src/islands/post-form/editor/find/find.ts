import type { Node } from '@milkdown/kit/prose/model';
import type { TextRange } from './highlights.ts';

/** Returns all matches of `wanted` in order, each within one block, across marks. A space matches any white space. */
export function findAll(doc: Node, wanted: string, matchCase = false): readonly TextRange[] {
  if (wanted === '') return [];
  const pattern = new RegExp(
    wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+'),
    matchCase ? 'gu' : 'giu',
  );
  const places: TextRange[] = [];
  doc.descendants((block, pos) => {
    if (!block.isTextblock) return true;
    for (const { 0: found, index } of wordsOf(block).matchAll(pattern)) {
      places.push({ from: pos + 1 + index, to: pos + 1 + index + found.length });
    }
    return false;
  });
  return places;
}

/** Returns the text of a block with other nodes padded to their size, so that offsets match positions. */
function wordsOf(block: Node): string {
  let words = '';
  block.forEach((node) => {
    words += node.text ?? '\ufffc'.repeat(node.nodeSize);
  });
  return words;
}
