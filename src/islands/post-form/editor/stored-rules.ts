/** How stored HTML is read: our own rules, so that none of Milkdown's decides what is kept. */

import { DOMParser as ContentParser, type ParseRule, type Schema } from '@milkdown/kit/prose/model';
import { hold } from './held-attributes.ts';
import { readPicture } from './schema.ts';
import { readCell } from './table-schema.ts';

const parsers = new WeakMap<Schema, ContentParser>();

/** Reads HTML into the schema by our rules alone; also what the clipboard uses. */
export function storedParser(schema: Schema): ContentParser {
  const parser = parsers.get(schema) ?? new ContentParser(schema, rules);
  parsers.set(schema, parser);
  return parser;
}

/** A page in which nothing runs and nothing loads. */
export const inertPage = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** A text in one: what a page would have in its head stays where it stands. */
export const inertBody = (html: string): HTMLElement => inertPage(`<body>${html}`);

/** A text in one that is written again by `htmlIn`. */
export const storedBody = (html: string): HTMLElement => inertBody(hold(html));

const languageOf = (code: Element | null) => code?.getAttribute('class')?.replace(/^language-/, '') ?? '';

export const readOrder = (list: Element) => ({ order: Number(list.getAttribute('start') ?? 1) });

/** As Milkdown numbers items: else its first look at the list would be a change of the text. */
export const numbered = (number: number | undefined) =>
  number === undefined ? { listType: 'bullet', label: '•' } : { listType: 'ordered', label: `${number}.` };

export function readItem(item: HTMLElement) {
  const checked = item.dataset.checked;
  const list = item.parentElement;
  const ordered = list?.tagName === 'OL';
  return {
    ...numbered(ordered ? [...list.children].indexOf(item) + readOrder(list).order : undefined),
    checked: checked === undefined ? null : checked === 'true',
    // On the clipboard every item has its paragraphs; a tight one says so.
    spread: item.dataset.tight === undefined && [...item.children].some(({ tagName }) => tagName === 'P'),
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
  // On the clipboard rows stand in the table itself.
  { tag: 'thead > tr, tr[data-header]', node: 'table_header_row' },
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
  // Of the clipboard: what is stored has the source itself.
  { tag: 'div[data-opaque]', node: 'opaque', getAttrs: ({ dataset }) => ({ source: dataset.opaque ?? '' }) },
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
