/** Stored HTML in, stored HTML out: exact inverses on what `blog/content/sanitise` lets through (docs/content.md). */

import {
  DOMParser as ContentParser,
  DOMSerializer,
  Fragment,
  type Node,
  type ParseRule,
  type Schema,
} from '@milkdown/kit/prose/model';
import { present, readCell, readPicture } from './schema.ts';
import { isInline, signature } from './signature.ts';

/** The document that `html` tells. What the editor cannot represent stands in it as an opaque block with its source. */
export function readStored(schema: Schema, html: string): Node {
  const blocks = readBlocks(schema, inertBody(html));
  return schema.topNodeType.createAndFill(null, Fragment.from(blocks)) ?? (schema.topNodeType.createAndFill() as Node);
}

/** The HTML of a document, without the empty paragraphs at its end. */
export function writeStored(doc: Node): string {
  let end = doc.childCount;
  while (end > 0 && isEmptyParagraph(doc.child(end - 1))) end -= 1;
  const kept: Node[] = [];
  doc.forEach((child, _offset, index) => {
    if (index < end) kept.push(child);
  });
  return htmlIn(writeFragment(doc.type.schema, Fragment.from(kept)));
}

/** Reads HTML into the schema by our rules alone; also what the clipboard uses. */
export function storedParser(schema: Schema): ContentParser {
  return cached(parsers, schema, () => new ContentParser(schema, rules));
}

/** Writes the schema's nodes as stored HTML, but for `finish`. */
export function storedSerializer(schema: Schema): DOMSerializer {
  return cached(serializers, schema, () => {
    const own = Object.keys(schema.nodes).filter((name) => name !== 'doc' && name !== 'text' && !(name in nodeHtml));
    if (own.length > 0) throw new Error(`The stored form of ${own.join(', ')} is not defined: add it to nodeHtml.`);
    return new DOMSerializer(nodeHtml, markHtml);
  });
}

/** A parsed document in which nothing runs and nothing loads. */
export function inertBody(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, 'text/html').body;
}

const parsers = new WeakMap<Schema, ContentParser>();
const serializers = new WeakMap<Schema, DOMSerializer>();

function cached<T>(map: WeakMap<Schema, T>, schema: Schema, make: () => T): T {
  const known = map.get(schema) ?? make();
  map.set(schema, known);
  return known;
}

/** Block by block: one that does not come back as it was is taken apart, and if that does not help, kept as source. */
function readBlocks(schema: Schema, parent: HTMLElement): Node[] {
  return groups(parent).flatMap((group) => {
    if (signature(group) === '') return [];
    const parsed = storedParser(schema).parse(group, { topNode: schema.topNodeType.create() });
    const nodes = childrenOf(parsed);
    if (same(schema, group, nodes)) return nodes;
    const only = group.firstElementChild as HTMLElement;
    const apart = takeApart(schema, only);
    if (apart && same(schema, group, [apart])) return [apart];
    const opaque = schema.nodes.opaque;
    return opaque ? [opaque.create({ source: htmlIn(group) })] : nodes;
  });
}

const same = (schema: Schema, group: HTMLElement, nodes: readonly Node[]) =>
  signature(group) === signature(writeFragment(schema, Fragment.from([...nodes])));

/** A quotation or list whose parts are read one by one, so that one odd part does not close the whole. */
function takeApart(schema: Schema, element: HTMLElement): Node | undefined {
  const { blockquote, bullet_list, ordered_list, list_item, footnotes } = schema.nodes;
  const inside = (part: HTMLElement) => Fragment.from(readBlocks(schema, part));
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
    // Not a document of this schema: the caller keeps the source.
  }
  return undefined;
}

/** Each block, or each run of loose words between blocks, in a body of its own. */
function groups(parent: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  let loose: HTMLElement | undefined;
  for (const node of [...parent.childNodes]) {
    if (!isInline(node) && !(node instanceof Element)) continue;
    if (node.nodeType === window.Node.TEXT_NODE && !loose && !/[^ \t\r\n\f]/.test(node.textContent ?? '')) continue;
    if (!isInline(node) || !loose) {
      const body = parent.ownerDocument.createElement('body');
      found.push(body);
      loose = isInline(node) ? body : undefined;
    }
    found.at(-1)?.append(node.cloneNode(true));
  }
  return found;
}

function writeFragment(schema: Schema, fragment: Fragment): HTMLElement {
  const body = document.implementation.createHTMLDocument().body;
  storedSerializer(schema).serializeFragment(fragment, { document: body.ownerDocument }, body);
  finish(body);
  return body;
}

/** What a serializer that sees one node at a time cannot do. */
function finish(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li[data-tight]')) {
    item.removeAttribute('data-tight');
    const paragraphs = [...item.children].filter(({ tagName }) => tagName === 'P');
    // Two in a row would run together without their tags.
    if (!paragraphs.some((paragraph) => paragraph.nextElementSibling?.tagName === 'P')) paragraphs.forEach(unwrap);
  }
  for (const cell of body.querySelectorAll('td, th')) {
    const [first] = cell.children;
    if (cell.children.length === 1 && first?.tagName === 'P') unwrap(first);
  }
  for (const text of body.querySelectorAll('span[data-text]')) unwrap(text);
  for (const table of body.querySelectorAll('table')) gatherRows(table);
  for (const caption of body.querySelectorAll('figcaption')) if (!caption.hasChildNodes()) caption.remove();
  for (const notes of body.querySelectorAll('section[data-note]')) joinNotes(notes);
  const ids = new Set<string>();
  for (const element of body.querySelectorAll('[id]')) {
    if (ids.has(element.id)) element.removeAttribute('id');
    ids.add(element.id);
  }
  for (const opaque of body.querySelectorAll<HTMLElement>('[data-opaque]')) {
    opaque.replaceWith(...inertBody(opaque.dataset.opaque ?? '').childNodes);
  }
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** The header rows a table begins with go into its head, all others into its body. */
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

/** Notes that stand one behind the other are one list. */
function joinNotes(note: Element): void {
  note.removeAttribute('data-note');
  const before = note.previousElementSibling;
  const [list, target] = [note.firstElementChild, before?.querySelector(':scope > ol:last-child')];
  if (!list || !target || !before?.matches('section[data-footnotes]')) return;
  target.append(...list.children);
  note.remove();
}

/**
 * As the sanitiser writes it. A parser takes the first line break after `<pre>` away, and a serializer does not put it
 * back; a space that does not break is a character like any other.
 */
const htmlIn = (element: HTMLElement) =>
  element.innerHTML.replaceAll('<pre>\n', '<pre>\n\n').replaceAll('&nbsp;', '\u00a0');

const isEmptyParagraph = (node: Node) => node.type.name === 'paragraph' && node.childCount === 0;

function childrenOf(doc: Node): Node[] {
  const children: Node[] = [];
  doc.forEach((child) => {
    children.push(child);
  });
  return children;
}

const languageOf = (code: Element | null) => code?.getAttribute('class')?.replace(/^language-/, '') ?? '';

const readOrder = (list: Element) => ({ order: Number(list.getAttribute('start') ?? 1) });

function readItem(item: HTMLElement) {
  const checked = item.dataset.checked;
  const list = item.parentElement;
  const ordered = list?.tagName === 'OL';
  return {
    // As Milkdown numbers them: else its first look at the list would be a change of the text.
    listType: ordered ? 'ordered' : 'bullet',
    label: ordered ? `${[...list.children].indexOf(item) + readOrder(list).order}.` : '•',
    checked: checked === undefined ? null : checked === 'true',
    spread: [...item.children].some(({ tagName }) => tagName === 'P'),
    noteId: item.getAttribute('id'),
  };
}

const rules: ParseRule[] = [
  { tag: 'p', node: 'paragraph' },
  ...[1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, node: 'heading', attrs: { level } })),
  { tag: 'blockquote', node: 'blockquote' },
  {
    tag: 'pre',
    node: 'code_block',
    preserveWhitespace: 'full',
    getAttrs: (pre) => ({ language: languageOf(pre.querySelector('code')) }),
  },
  { tag: 'hr', node: 'hr' },
  { tag: 'br', node: 'hardbreak' },
  { tag: 'img[src]', node: 'image', getAttrs: readPicture },
  { tag: 'ul', node: 'bullet_list' },
  { tag: 'ol', node: 'ordered_list', getAttrs: readOrder },
  { tag: 'li', node: 'list_item', getAttrs: readItem },
  { tag: 'table', node: 'table' },
  { tag: 'thead > tr', node: 'table_header_row' },
  { tag: 'tr', node: 'table_row' },
  { tag: 'th', node: 'table_header', getAttrs: readCell },
  { tag: 'td', node: 'table_cell', getAttrs: readCell },
  {
    tag: 'figure',
    node: 'figure',
    getAttrs: (figure) => readPicture(figure.querySelector('img')),
    contentElement: (figure) =>
      (figure as HTMLElement).querySelector<HTMLElement>('figcaption') ?? document.createElement('figcaption'),
  },
  { tag: 'section[data-footnotes]', node: 'footnotes' },
  { tag: 'em', mark: 'emphasis' },
  { tag: 'strong', mark: 'strong' },
  { tag: 'del', mark: 'strike_through' },
  { tag: 'u', mark: 'underline' },
  { tag: 'sub', mark: 'subscript' },
  { tag: 'sup', mark: 'superscript' },
  { tag: 'mark', mark: 'highlight' },
  { tag: 'code', mark: 'inlineCode', getAttrs: (code) => ({ language: languageOf(code) }) },
  {
    tag: 'a[href]',
    mark: 'link',
    getAttrs: (link) => ({
      href: link.getAttribute('href'),
      title: link.getAttribute('title'),
      id: link.getAttribute('id'),
      footnote: link.hasAttribute('data-footnote-ref')
        ? 'ref'
        : link.hasAttribute('data-footnote-backref')
          ? 'backref'
          : null,
    }),
  },
];

type NodeHtml = DOMSerializer['nodes'][string];

const cellHtml =
  (tag: 'td' | 'th'): NodeHtml =>
  ({ attrs: { colspan, rowspan, alignment } }) => [
    tag,
    present({ align: alignment, colspan: colspan > 1 ? colspan : null, rowspan: rowspan > 1 ? rowspan : null }),
    0,
  ];

const pictureHtml: NodeHtml = ({ attrs: { src, alt, title, width, height } }) => [
  'img',
  present({ src, alt: alt ?? '', title: title || null, width, height }),
];

/** A label as part of an id. */
const noteName = (label: unknown) =>
  String(label)
    .replace(/[^\w-]+/g, '-')
    .slice(0, 60);

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
  // Raw HTML in pasted Markdown is text here.
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
  table_header: cellHtml('th'),
  table_cell: cellHtml('td'),
  figure: (node) => ['figure', pictureHtml(node), ['figcaption', 0]],
  footnotes: () => ['section', { 'data-footnotes': '' }, 0],
  // These two come from pasted Markdown alone; read again they are links and a list.
  footnote_reference: ({ attrs: { label } }) => [
    'sup',
    ['a', { href: `#fn-${noteName(label)}`, id: `fnref-${noteName(label)}`, 'data-footnote-ref': '' }, String(label)],
  ],
  footnote_definition: ({ attrs: { label } }) => [
    'section',
    { 'data-footnotes': '', 'data-note': '' },
    ['ol', ['li', { id: `fn-${noteName(label)}` }, 0]],
  ],
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
    present({
      href,
      title: title || null,
      id,
      'data-footnote-ref': footnote === 'ref' ? '' : null,
      'data-footnote-backref': footnote === 'backref' ? '' : null,
    }),
    0,
  ],
};
