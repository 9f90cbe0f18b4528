import { DOMSerializer, Fragment, type Mark, type Node, type Schema } from '@milkdown/kit/prose/model';
import { present } from '../schema/mark-schemas.ts';
import { cellAttributes } from '../schema/table-schema.ts';
import { inertContent, restoreAttributes } from './inert-document.ts';

const serializers = new WeakMap<Schema, DOMSerializer>();

export function contentSerializer(schema: Schema): DOMSerializer {
  const known = serializers.get(schema);
  if (known) return known;
  const without = Object.keys(schema.nodes).filter((name) => name !== 'doc' && name !== 'text' && !(name in nodeHtml));
  if (without.length > 0)
    throw new Error(`The stored form of ${without.join(', ')} is not defined: add it to nodeHtml.`);
  const serializer = new HtmlSerializer(nodeHtml, markHtml);
  serializers.set(schema, serializer);
  return serializer;
}

/** Serializes the mark with the longest span outermost, so that a link with code in it stays a single element. */
class HtmlSerializer extends DOMSerializer {
  override serializeFragment(
    fragment: Fragment,
    options?: { document?: Document },
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    return super.serializeFragment(fragment.firstChild?.isInline ? nested(fragment) : fragment, options, target);
  }
}

/** Returns the nodes with their marks in order, outermost first; marks of equal span keep the order of the schema. */
export function nested(fragment: Fragment): Fragment {
  const nodes = fragment.content;
  const orders = nodes.map((): Mark[] => []);
  const arrange = (from: number, to: number) => {
    for (let start = from; start < to; ) {
      let [outermost, end]: [Mark | undefined, number] = [undefined, start + 1];
      for (const mark of nodes[start]?.marks ?? []) {
        if (orders[start]?.includes(mark)) continue;
        const reach = reachOf(mark, nodes, start, to);
        if (!outermost || reach > end) [outermost, end] = [mark, reach];
      }
      if (outermost) {
        for (let index = start; index < end; index += 1) {
          const own = nodes[index]?.marks.find((each) => outermost?.eq(each));
          if (own) orders[index]?.push(own);
        }
        arrange(start, end);
      }
      start = end;
    }
  };
  arrange(0, nodes.length);
  return Fragment.from(nodes.map((node, index) => node.mark(orders[index] ?? [])));
}

function reachOf(mark: Mark, nodes: readonly Node[], start: number, to: number): number {
  let end = start + 1;
  while (end < to && mark.isInSet(nodes[end]?.marks ?? [])) end += 1;
  return end;
}

/** An inert document in which HTML is built, so that the HTML runs no scripts and sends no requests. */
let inert: Document | undefined;

export function serializeFragment(schema: Schema, fragment: Fragment): HTMLElement {
  inert ??= document.implementation.createHTMLDocument();
  const body = inert.createElement('body');
  contentSerializer(schema).serializeFragment(fragment, { document: body.ownerDocument }, body);
  finish(body);
  return body;
}

function finish(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li[data-tight]')) {
    item.removeAttribute('data-tight');
    const paragraphs = [...item.children].filter(({ tagName }) => tagName === 'P');
    // Unwraps the paragraphs unless two are adjacent, because adjacent ones would merge.
    if (!paragraphs.some((paragraph) => paragraph.nextElementSibling?.tagName === 'P')) paragraphs.forEach(unwrap);
  }
  for (const cell of body.querySelectorAll('td, th')) {
    const [first] = cell.children;
    if (cell.children.length === 1 && first?.tagName === 'P') unwrap(first);
  }
  for (const text of body.querySelectorAll('span[data-text]')) unwrap(text);
  for (const table of body.querySelectorAll('table')) gatherRows(table);
  for (const caption of body.querySelectorAll('figcaption')) if (!caption.hasChildNodes()) caption.remove();
  const ids = new Set<string>();
  for (const element of body.querySelectorAll('[id]')) {
    if (ids.has(element.id)) element.removeAttribute('id');
    ids.add(element.id);
  }
  for (const opaque of body.querySelectorAll<HTMLElement>('[data-opaque]')) {
    opaque.replaceWith(...inertContent(opaque.dataset.opaque ?? '').childNodes);
  }
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function gatherRows(table: Element): void {
  const rows = [...table.children];
  const end = rows.findIndex((row) => !row.hasAttribute('data-header'));
  const head = end < 0 ? rows : rows.slice(0, end);
  for (const [tag, part] of [
    ['thead', head],
    ['tbody', rows.slice(head.length)],
  ] as const) {
    if (part.length === 0) continue;
    const section = table.ownerDocument.createElement(tag);
    section.append(...part);
    table.append(section);
  }
  for (const row of rows) row.removeAttribute('data-header');
}

/** Returns inner HTML as stored: doubles a newline after `<pre>`, because parsers drop one, and unescapes `&nbsp;`. */
export const htmlIn = (element: HTMLElement) =>
  restoreAttributes(element.innerHTML.replaceAll('<pre>\n', '<pre>\n\n').replaceAll('&nbsp;', '\u00a0'));

type NodeHtml = DOMSerializer['nodes'][string];

const pictureHtml: NodeHtml = ({ attrs: { src, alt, title, width, height } }) => [
  'img',
  present({ src, alt, title: title || null, width, height }),
];

const nodeHtml: Record<string, NodeHtml> = {
  paragraph: () => ['p', 0],
  heading: ({ attrs }) => [`h${attrs.level}`, 0],
  blockquote: () => ['blockquote', 0],
  code_block: ({ attrs: { language } }) => [
    'pre',
    ['code', present({ class: language ? `language-${language}` : null }), 0],
  ],
  hr: () => ['hr'],
  hardbreak: () => ['br'],
  image: pictureHtml,
  // Never created, but `contentSerializer` requires an entry for every node type of the schema.
  html: ({ attrs }) => ['span', { 'data-text': '' }, String(attrs.value)],
  bullet_list: () => ['ul', 0],
  ordered_list: ({ attrs: { order } }) => ['ol', present({ start: order === 1 ? null : order }), 0],
  list_item: ({ attrs: { checked, spread, noteId } }) => [
    'li',
    present({ id: noteId, 'data-checked': checked, 'data-tight': spread ? null : '' }),
    0,
  ],
  table: () => ['table', 0],
  table_header_row: () => ['tr', { 'data-header': '' }, 0],
  table_row: () => ['tr', 0],
  table_header: ({ attrs }) => ['th', cellAttributes(attrs, 'align'), 0],
  table_cell: ({ attrs }) => ['td', cellAttributes(attrs, 'align'), 0],
  figure: (node) => ['figure', pictureHtml(node), ['figcaption', 0]],
  footnotes: () => ['section', { 'data-footnotes': '' }, 0],
  opaque: ({ attrs: { source } }) => ['div', { 'data-opaque': source }],
};

const markHtml: DOMSerializer['marks'] = {
  emphasis: () => ['em', 0],
  strong: () => ['strong', 0],
  strike_through: () => ['del', 0],
  underline: () => ['u', 0],
  subscript: () => ['sub', 0],
  superscript: () => ['sup', 0],
  highlight: () => ['mark', 0],
  inlineCode: ({ attrs: { language } }) => ['code', present({ class: language ? `language-${language}` : null }), 0],
  link: ({ attrs: { href, title, id, footnote } }) => [
    'a',
    present({ href, title: title || null, id, ...(footnote && { [`data-footnote-${footnote}`]: '' }) }),
    0,
  ],
};
