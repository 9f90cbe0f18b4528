/** Words of a document, counted as the public page counts them. */

import type { Node } from '@milkdown/kit/prose/model';
import { countWords } from '#blog/content/words.ts';

/** Nodes never change, so that of a long text only the block that is written in is counted anew. */
const counted = new WeakMap<Node, number>();

export function wordsIn(doc: Node): number {
  let words = 0;
  doc.forEach((block) => {
    const known = counted.get(block) ?? countWords(block.textBetween(0, block.content.size, '\n', '\n'));
    counted.set(block, known);
    words += known;
  });
  return words;
}
