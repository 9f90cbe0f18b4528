/** What the editor's document can hold beyond Milkdown's presets, and where it differs from them. */

import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import {
  commonmark,
  hardbreakSchema,
  headingSchema,
  imageSchema,
  inlineCodeSchema,
  linkSchema,
  syncHeadingIdPlugin,
} from '@milkdown/kit/preset/commonmark';
import {
  extendListItemSchemaForTask,
  gfm,
  keepTableAlignPlugin,
  tableCellSchema,
  tableHeaderRowSchema,
  tableHeaderSchema,
  tableRowSchema,
  tableSchema,
} from '@milkdown/kit/preset/gfm';
import type { Attrs, Node } from '@milkdown/kit/prose/model';
import { $markSchema, $nodeSchema } from '@milkdown/kit/utils';

/** Content never goes through Markdown; the presets want these members all the same. */
const noMarkdown = {
  parseMarkdown: { match: () => false, runner: () => {} },
  toMarkdown: { match: () => false, runner: () => {} },
};

/** A mark that is one element and nothing else. */
const plainMark = (id: string, tag: string) =>
  // With a data-type it is a node of a preset: a footnote's reference.
  $markSchema(id, () => ({ parseDOM: [{ tag: `${tag}:not([data-type])` }], toDOM: () => [tag, 0], ...noMarkdown }));

export const underlineSchema = plainMark('underline', 'u');
export const subscriptSchema = plainMark('subscript', 'sub');
export const superscriptSchema = plainMark('superscript', 'sup');
export const highlightSchema = plainMark('highlight', 'mark');

/** A picture with a caption, as one block. */
export const figureSchema = $nodeSchema('figure', () => ({
  group: 'block',
  content: 'inline*',
  defining: true,
  isolating: true,
  attrs: pictureAttrs(),
  parseDOM: [
    {
      tag: 'figure',
      getAttrs: (dom) => readPicture(dom.querySelector('img')),
      contentElement: (dom) => (dom as HTMLElement).querySelector('figcaption') ?? document.createElement('figcaption'),
    },
  ],
  toDOM: (node) => ['figure', ['img', shownPicture(node.attrs)], ['figcaption', 0]],
  ...noMarkdown,
}));

/** The notes at the end of a text. */
export const footnotesSchema = $nodeSchema('footnotes', () => ({
  group: 'block',
  content: 'block+',
  defining: true,
  parseDOM: [{ tag: 'section[data-footnotes]' }],
  toDOM: () => ['section', { 'data-footnotes': '', 'aria-label': 'Footnotes' }, 0],
  ...noMarkdown,
}));

/** HTML the editor cannot edit: shown as its source and saved as it came, so that nothing is lost. */
export const opaqueSchema = $nodeSchema('opaque', () => ({
  group: 'block',
  atom: true,
  selectable: true,
  attrs: { source: { default: '', validate: 'string' } },
  parseDOM: [{ tag: 'div[data-opaque]', getAttrs: (dom) => ({ source: dom.dataset.opaque ?? '' }) }],
  toDOM: (node) => ['div', { 'data-opaque': node.attrs.source }, ['pre', node.attrs.source]],
  leafText: (node) => node.attrs.source,
  ...noMarkdown,
}));

const image = imageSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: pictureAttrs(),
  parseDOM: [{ tag: 'img[src]', getAttrs: (dom) => readPicture(dom) }],
  toDOM: (node) => ['img', shownPicture(node.attrs)],
}));

/** No id: the renderer names headings, and here it would change with every letter. */
const heading = headingSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: (node) => [`h${node.attrs.level}`, 0],
}));

/** A pasted line break is a line break, not a space. */
const hardbreak = hardbreakSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  parseMarkdown: {
    match: ({ type }) => type === 'break',
    runner: (state, _node, type) => {
      state.addNode(type);
    },
  },
}));

const inlineCode = inlineCodeSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: { language: { default: '', validate: 'string' } },
}));

/** Links carry what makes a footnote of them. */
const link = linkSchema.extendSchema((previous) => (ctx) => {
  const base = previous(ctx);
  return {
    ...base,
    // Words typed behind a link are not part of it.
    inclusive: false,
    attrs: { ...base.attrs, id: { default: null }, footnote: { default: null } },
    toDOM: (mark, inline) => {
      const { id: _id, footnote: _footnote, ...attrs } = mark.attrs;
      return base.toDOM?.({ ...mark, attrs } as unknown as typeof mark, inline) ?? ['a', 0];
    },
  };
});

/** Any block may begin an item; an item is tight (no paragraph inside) unless it came otherwise. */
const listItem = extendListItemSchemaForTask.extendSchema((previous) => (ctx) => {
  const base = previous(ctx);
  return {
    ...base,
    content: 'block+',
    attrs: { ...base.attrs, spread: { default: false, validate: 'boolean' }, noteId: { default: null } },
  };
});

/** Rows in any order, with or without a header. */
const table = tableSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  content: '(table_header_row | table_row)+',
}));
const tableRow = tableRowSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  content: '(table_cell | table_header)*',
}));
const tableHeaderRow = tableHeaderRowSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  content: '(table_header | table_cell)*',
}));

/** All blocks but tables, which do not nest. */
const CELL_CONTENT =
  '(paragraph | heading | bullet_list | ordered_list | blockquote | code_block | figure | hr | opaque)+';

const tableCell = tableCellSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  content: CELL_CONTENT,
  attrs: cellAttrs(),
  parseDOM: [{ tag: 'td', getAttrs: readCell }],
  toDOM: (node) => ['td', shownCell(node.attrs), 0],
}));
const tableHeader = tableHeaderSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  content: CELL_CONTENT,
  attrs: cellAttrs(),
  parseDOM: [{ tag: 'th', getAttrs: readCell }],
  toDOM: (node) => ['th', shownCell(node.attrs), 0],
}));

/** The presets without what would change a text that nobody touched, and with our differences. */
export const documentPlugins: MilkdownPlugin[] = [
  // First, so that they are written outermost: <sup><a>.
  superscriptSchema,
  subscriptSchema,
  highlightSchema,
  underlineSchema,
  ...commonmark.filter((plugin) => plugin !== syncHeadingIdPlugin),
  ...gfm.filter((plugin) => plugin !== keepTableAlignPlugin),
  heading,
  hardbreak,
  image,
  inlineCode,
  link,
  listItem,
  table,
  tableRow,
  tableHeaderRow,
  tableCell,
  tableHeader,
  figureSchema,
  footnotesSchema,
  opaqueSchema,
].flat();

function pictureAttrs() {
  return {
    src: { default: '' },
    alt: { default: null },
    title: { default: null },
    width: { default: null },
    height: { default: null },
  };
}

export function readPicture(image: Element | null): Attrs | false {
  if (!image) return false;
  return {
    src: image.getAttribute('src') ?? '',
    // None and an empty one are told apart: the writer may have meant the second.
    alt: image.getAttribute('alt'),
    title: image.getAttribute('title'),
    width: image.getAttribute('width'),
    height: image.getAttribute('height'),
  };
}

/** The attributes that are there, so that the element carries no empty ones. */
export function present(attrs: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attrs).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function shownPicture(attrs: Attrs): Record<string, string> {
  const { src, alt, title, width, height } = attrs;
  return present({ src, alt, title, width, height });
}

function cellAttrs() {
  return {
    colspan: { default: 1 },
    rowspan: { default: 1 },
    colwidth: { default: null },
    alignment: { default: null },
  };
}

export function readCell(dom: HTMLElement): Attrs {
  return {
    colspan: Number(dom.getAttribute('colspan') ?? 1),
    rowspan: Number(dom.getAttribute('rowspan') ?? 1),
    alignment: dom.getAttribute('align') ?? dom.dataset.align ?? null,
  };
}

/** Alignment by attribute: a style attribute would be refused by the page's policy. */
function shownCell(attrs: Attrs): Record<string, string> {
  const { colspan, rowspan, alignment } = attrs;
  return present({
    colspan: colspan === 1 ? null : colspan,
    rowspan: rowspan === 1 ? null : rowspan,
    'data-align': alignment,
  });
}

/** True for a block whose only text is its source. */
export const isOpaque = (node: Node): boolean => node.type.name === 'opaque';
