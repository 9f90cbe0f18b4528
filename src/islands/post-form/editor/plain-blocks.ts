/**
 * Most blocks of most texts are written as plainly as can be. These are read and written without the parser and the
 * serializer; `stored.ts` takes them so where they are written again to the letter. A text is read in half the time.
 */

import { Fragment, type Mark, type Node, type Schema } from '@milkdown/kit/prose/model';
import { nested } from './stored-html.ts';
import { readItem, readOrder } from './stored-rules.ts';

const TEXTS: Record<string, readonly [name: string, level?: number]> = {
  P: ['paragraph'],
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`H${level}`, ['heading', level]])),
};
const CONTAINERS: Record<string, string> = { BLOCKQUOTE: 'blockquote', UL: 'bullet_list', OL: 'ordered_list' };
const MARKS: Record<string, string> = {
  EM: 'emphasis',
  STRONG: 'strong',
  DEL: 'strike_through',
  U: 'underline',
  SUB: 'subscript',
  SUP: 'superscript',
  MARK: 'highlight',
  CODE: 'inlineCode',
  A: 'link',
};

/** What is not plain. */
class Odd extends Error {}
const ODD = new Odd();

/** The node that `element` tells; undefined where it takes a parser to say. */
export function readPlain(schema: Schema, element: Element): Node | undefined {
  try {
    return readBlock(schema, element);
  } catch (error) {
    // A RangeError: the schema does not have it so.
    if (error === ODD || error instanceof RangeError) return undefined;
    throw error;
  }
}

function readBlock(schema: Schema, element: globalThis.Node | null): Node {
  const tag = element?.nodeName ?? '';
  const text = TEXTS[tag];
  if (text) {
    const [name, level] = text;
    only(element as Element);
    return schema.node(name, level ? { level } : null, readLine(schema, element?.childNodes ?? []));
  }
  const container = CONTAINERS[tag];
  if (!container) throw ODD;
  const list = element as HTMLElement;
  only(list, tag === 'OL' ? 'start' : undefined);
  const children = [...list.childNodes].map((child) =>
    tag === 'BLOCKQUOTE' ? readBlock(schema, child) : readPlainItem(schema, child),
  );
  const type = schema.nodes[container];
  if (!type) throw ODD;
  return type.createChecked(tag === 'OL' ? readOrder(list) : null, children);
}

/** Words and then blocks, or blocks alone. */
function readPlainItem(schema: Schema, item: globalThis.Node): Node {
  if (item.nodeName !== 'LI') throw ODD;
  only(item as Element);
  const attrs = readItem(item as HTMLElement);
  const children = [...item.childNodes];
  const first = children.findIndex(({ nodeName }) => nodeName in TEXTS || nodeName in CONTAINERS);
  const words = children.splice(0, first < 0 ? children.length : first);
  const blocks = children.map((child) => readBlock(schema, child));
  if (words.length > 0) blocks.unshift(schema.node('paragraph', null, readLine(schema, words)));
  const type = schema.nodes.list_item;
  if (!type) throw ODD;
  return type.createChecked(attrs, blocks);
}

/** No attribute, or this one alone. */
function only(element: Element, name?: string): void {
  const { length } = element.attributes;
  if (length > 1 || (length === 1 && !(name && element.hasAttribute(name)))) throw ODD;
}

function readLine(schema: Schema, nodes: Iterable<globalThis.Node>): Fragment {
  const line: Node[] = [];
  // White space that a browser does not show takes a parser.
  let space = true;
  const read = (children: Iterable<globalThis.Node>, marks: readonly Mark[]) => {
    for (const child of children) {
      if (child.nodeType === window.Node.TEXT_NODE) {
        const words = child.nodeValue ?? '';
        if (/[\t\r\n\f]| {2}/.test(words) || (space && words.startsWith(' '))) throw ODD;
        space = words.endsWith(' ');
        line.push(schema.text(words, marks));
      } else {
        const type = schema.marks[MARKS[child.nodeName] ?? ''];
        if (!type) throw ODD;
        only(child as Element, child.nodeName === 'A' ? 'href' : undefined);
        const href = child.nodeName === 'A' ? (child as Element).getAttribute('href') : undefined;
        read(child.childNodes, type.create(href === undefined ? null : { href, title: null }).addToSet(marks));
      }
    }
  };
  read(nodes, []);
  if (space) throw ODD;
  return Fragment.fromArray(line);
}

/** A node that `readPlain` gave, as stored HTML. */
export function writePlain(node: Node): string {
  if (node.isTextblock) {
    const tag = node.type.name === 'heading' ? `h${node.attrs.level}` : 'p';
    return `<${tag}>${writeLine(node.content)}</${tag}>`;
  }
  const inside = node.children.map(writePlain).join('');
  switch (node.type.name) {
    case 'blockquote':
      return `<blockquote>${inside}</blockquote>`;
    case 'bullet_list':
      return `<ul>${inside}</ul>`;
    case 'ordered_list':
      return `<ol${node.attrs.order === 1 ? '' : ` start="${node.attrs.order}"`}>${inside}</ol>`;
    default:
      return `<li>${node.attrs.spread ? inside : node.children.map(writeTight).join('')}</li>`;
  }
}

const writeTight = (node: Node) => (node.type.name === 'paragraph' ? writeLine(node.content) : writePlain(node));

const TAGS = Object.fromEntries(Object.entries(MARKS).map(([tag, name]) => [name, tag.toLowerCase()]));

function writeLine(content: Fragment): string {
  let html = '';
  let open: readonly Mark[] = [];
  const close = (from: number) => {
    for (const mark of open.slice(from).toReversed()) html += `</${TAGS[mark.type.name]}>`;
  };
  // One mark has no order.
  const line = content.content.some(({ marks }) => marks.length > 1) ? nested(content) : content;
  for (const { text, marks } of line.content) {
    const other = marks.findIndex((mark, index) => !open[index]?.eq(mark));
    const kept = other < 0 ? marks.length : other;
    close(kept);
    for (const { type, attrs } of marks.slice(kept))
      html += `<${TAGS[type.name]}${type.name === 'link' ? ` href="${escaped(attrs.href).replaceAll('"', '&quot;')}"` : ''}>`;
    open = marks;
    html += escaped(text ?? '');
  }
  close(0);
  return html;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
