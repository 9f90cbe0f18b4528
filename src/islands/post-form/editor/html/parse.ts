/** Parses stored HTML, inverting `serialize.ts` for all HTML that `blog/content/sanitise` allows (docs/content.md). */

import { Fragment, type Node, type Schema } from '@milkdown/kit/prose/model';
import { canonicalForm, isInline, standsInLine, withListsInItems } from './canonical-form.ts';
import { inertContent } from './inert-document.ts';
import { contentParser, readItem, readOrder } from './parse-rules.ts';
import { blockHtmlOf, canonicalBlock, givenBlocks } from './serialize.ts';
import { htmlIn, serializeFragment } from './serialize-rules.ts';

/** Parses `html` into a document. HTML that the schema cannot represent is kept as source in an opaque block. */
export function parseContent(schema: Schema, html: string): Node {
  const blocks = parseBlocks(schema, inertContent(html));
  return schema.topNodeType.createAndFill(null, Fragment.from(blocks)) ?? (schema.topNodeType.createAndFill() as Node);
}

/** Parses blocks. A block that would not serialize to the same content is parsed part by part or kept as source. */
function parseBlocks(schema: Schema, parent: HTMLElement): Node[] {
  return groupsOf(parent).flatMap((nodes) => {
    const group = parent.ownerDocument.createElement('body');
    group.append(...nodes.map((node) => node.cloneNode(true)));
    const read = parseGroup(schema, group);
    const [only] = read;
    // Keeps the original HTML of a block, but not of bare text, which would merge with adjacent text if written back.
    if (only && read.length === 1 && nodes[0] && !isInline(nodes[0])) givenBlocks.set(only, blockHtmlOf(group));
    return read;
  });
}

function parseGroup(schema: Schema, group: HTMLElement): readonly Node[] {
  if (isEmpty(group)) return [];
  const topNode = schema.topNodeType.create();
  const nodes = contentParser(schema).parse(withListsInItems(group), { topNode }).children;
  if (sameContent(schema, group, nodes)) return nodes;
  const only = group.firstElementChild;
  const parts = only instanceof HTMLElement ? parseParts(schema, only) : undefined;
  if (parts && sameContent(schema, group, [parts])) return [parts];
  const opaque = schema.nodes.opaque;
  return opaque ? [opaque.create({ source: htmlIn(group) })] : nodes;
}

const isEmpty = (group: HTMLElement) => group.textContent?.trim() === '' && canonicalForm(group) === '';

function sameContent(schema: Schema, group: HTMLElement, nodes: readonly Node[]): boolean {
  // Compares the HTML first, because it is identical for most blocks and cheap to compare.
  const [only] = nodes;
  if (only && nodes.length === 1 && canonicalBlock(only).html === htmlIn(group)) return true;
  return canonicalForm(group) === canonicalForm(serializeFragment(schema, Fragment.from([...nodes])));
}

/** Parses a quotation, list or footnotes part by part, so that one unsupported part does not make all of it opaque. */
function parseParts(schema: Schema, element: HTMLElement): Node | undefined {
  const { blockquote, bullet_list, ordered_list, list_item, footnotes } = schema.nodes;
  const inside = (part: HTMLElement) => Fragment.from(parseBlocks(schema, part));
  try {
    if (element.matches('blockquote')) return blockquote?.createChecked(null, inside(element));
    if (element.matches('section[data-footnotes]')) return footnotes?.createChecked(null, inside(element));
    if (element.matches('ul, ol')) {
      const items = [...element.children].map((item) =>
        list_item?.createChecked(readItem(item as HTMLElement), inside(item as HTMLElement)),
      );
      const type = element.matches('ol') ? ordered_list : bullet_list;
      return type?.createChecked(element.matches('ol') ? readOrder(element) : null, items as Node[]);
    }
  } catch {
    // The parts do not fit the schema, so the caller keeps the source.
  }
  return undefined;
}

function groupsOf(parent: HTMLElement): ChildNode[][] {
  const found: ChildNode[][] = [];
  let loose = false;
  for (const node of parent.childNodes) {
    if (node.nodeType === window.Node.TEXT_NODE && !loose && !/[^ \t\r\n\f]/.test(node.textContent ?? '')) continue;
    const inLine = standsInLine(node);
    if (!inLine || !loose) {
      found.push([]);
      loose = inLine;
    }
    found.at(-1)?.push(node);
  }
  return found;
}
