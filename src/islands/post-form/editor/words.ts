/** Words of a document, counted as the public page counts them. */

import type { Node } from '@milkdown/kit/prose/model';
import { countWords } from '#blog/content/words.ts';

export const wordsIn = (doc: Node): number => countWords(doc.textBetween(0, doc.content.size, '\n', '\n'));
