/** Words of a document, counted as the public page counts them (`blog/content/text`, which brings the sanitiser along). */

import type { Node } from '@milkdown/kit/prose/model';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function wordsIn(doc: Node): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(doc.textBetween(0, doc.content.size, '\n', '\n')))
    if (isWordLike) words += 1;
  return words;
}
