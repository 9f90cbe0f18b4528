import { canonicalForm, isInline } from '../editor/html/canonical-form.ts';
import { inertContent } from '../editor/html/inert-document.ts';
import { htmlIn } from '../editor/html/serialize-rules.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Block {
  /** HTML of the block with the white space after it; all blocks joined give the text. */
  readonly html: string;
  /** Equal for blocks with equal content, even if their HTML differs. */
  readonly key: string;
  readonly tokens: readonly Token[];
}

export function blocksOf(html: string): Block[] {
  const groups: Node[][] = [];
  let loose = false;
  for (const node of inertContent(html).childNodes) {
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
    return { html: htmlIn(body), key: canonicalForm(body), tokens: tokensOf(nodes) };
  });
}
