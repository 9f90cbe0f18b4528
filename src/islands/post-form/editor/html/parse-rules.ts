import { DOMParser as ContentParser, type ParseRule, type Schema } from '@milkdown/kit/prose/model';
import { domRules } from '../schema/document-schema.ts';
import { readCell } from '../schema/table-schema.ts';

const parsers = new WeakMap<Schema, ContentParser>();

export function contentParser(schema: Schema): ContentParser {
  const parser = parsers.get(schema) ?? new ContentParser(schema, rules);
  parsers.set(schema, parser);
  return parser;
}

const languageOf = (code: Element | null) => code?.getAttribute('class')?.replace(/^language-/, '') ?? '';

export const readOrder = (list: Element) => ({ order: Number(list.getAttribute('start') ?? 1) });

/** Returns a list item's marker attributes. Without them, Milkdown would add them later and change unedited content. */
export const numbered = (number: number | undefined) =>
  number === undefined ? { listType: 'bullet', label: '•' } : { listType: 'ordered', label: `${number}.` };

export function readItem(item: HTMLElement) {
  const checked = item.dataset.checked;
  const list = item.parentElement;
  const ordered = list?.tagName === 'OL';
  return {
    ...numbered(ordered ? [...list.children].indexOf(item) + readOrder(list).order : undefined),
    checked: checked === undefined ? null : checked === 'true',
    // Items on the clipboard always contain paragraphs, so an attribute marks tight items (stored without paragraphs).
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
  { ...domRules.image, node: 'image' },
  { tag: 'ul', node: 'bullet_list' },
  { tag: 'ol', node: 'ordered_list', getAttrs: readOrder },
  { tag: 'li', node: 'list_item', getAttrs: readItem },
  { tag: 'table', node: 'table' },
  // Copied tables have no `thead`: `data-header` marks their header rows.
  { tag: 'thead > tr, tr[data-header]', node: 'table_header_row' },
  { tag: 'tr', node: 'table_row' },
  { tag: 'th', node: 'table_header', getAttrs: readCell },
  { tag: 'td', node: 'table_cell', getAttrs: readCell },
  { ...domRules.figure, node: 'figure' },
  { tag: 'section[data-footnotes]', node: 'footnotes' },
  // This element exists only on the clipboard; stored HTML contains its source instead.
  { ...domRules.opaque, node: 'opaque' },
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
      footnote: ['ref', 'backref'].find((kind) => link.hasAttribute(`data-footnote-${kind}`)) ?? null,
    }),
  },
];
