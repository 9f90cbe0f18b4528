/** Stored HTML as the row of blocks that stand one below the other: what versions are compared and merged by. */

import { isInline, signature } from '../editor/signature.ts';
import { htmlIn } from '../editor/stored-html.ts';
import { storedBody } from '../editor/stored-rules.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Block {
  /** The block's own HTML with the white space behind it: all blocks in a row are the text. */
  readonly html: string;
  /** The same for blocks that say the same, however they are written. */
  readonly key: string;
  readonly tokens: readonly Token[];
}

export function blocksOf(html: string): Block[] {
  const groups: Node[][] = [];
  let loose = false;
  for (const node of storedBody(html).childNodes) {
    const isSpace = node instanceof Text && !/[^ \t\r\n\f]/.test(node.data);
    const last = groups.at(-1);
    if (last && (isSpace || (loose && isInline(node)))) last.push(node);
    else if (!isSpace) {
      groups.push([node]);
      loose = isInline(node);
    }
  }
  const { body } = document.implementation.createHTMLDocument();
  return groups.map((nodes) => {
    body.replaceChildren(...nodes);
    return { html: htmlIn(body), key: signature(body), tokens: tokensOf(nodes) };
  });
}
