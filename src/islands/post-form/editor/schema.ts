/** What the editor's document can hold beyond Milkdown's presets, and where it differs from them. */

import { SchemaReady } from '@milkdown/kit/core';
import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import {
  hardbreakSchema,
  headingSchema,
  imageSchema,
  inlineCodeSchema,
  inlineNodesCursorPlugin,
  linkSchema,
  listItemSchema,
  paragraphSchema,
  schema as presetSchema,
  syncListOrderPlugin,
} from '@milkdown/kit/preset/commonmark';
import type { Attrs, Node } from '@milkdown/kit/prose/model';
import { $nodeSchema } from '@milkdown/kit/utils';
import { editorText } from '#blog/editor-text.ts';
import { noMarkdown, plainMark, present } from './schema-parts.ts';
import { tablePlugins } from './table-schema.ts';
import { typed } from './typed.ts';

const underlineSchema = plainMark('underline', 'u');
const subscriptSchema = plainMark('subscript', 'sub');
const superscriptSchema = plainMark('superscript', 'sup');
const highlightSchema = plainMark('highlight', 'mark');
const strikeSchema = plainMark('strike_through', 'del');

/** A picture with a caption, as one block. */
const figureSchema = $nodeSchema('figure', () => ({
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
  toDOM: (node) => ['figure', ['img', shownPicture(node.attrs)], ['figcaption', OWN_DIRECTION, 0]],
  ...noMarkdown,
}));

/** The notes at the end of a text. */
const footnotesSchema = $nodeSchema('footnotes', () => ({
  group: 'block',
  content: 'block+',
  defining: true,
  isolating: true,
  parseDOM: [{ tag: 'section[data-footnotes]' }],
  toDOM: () => ['section', { 'data-footnotes': '', 'aria-label': editorText.footnotes }, 0],
  ...noMarkdown,
}));

/** HTML the editor cannot edit: shown as its source and saved as it came, so that nothing is lost. */
const opaqueSchema = $nodeSchema('opaque', () => ({
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

/** Each block runs in the direction of its own words; what is around it follows in editor.css. */
const OWN_DIRECTION = { dir: 'auto' };

const paragraph = paragraphSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: () => ['p', OWN_DIRECTION, 0],
}));

/** No id: the renderer names headings, and here it would change with every letter. */
const heading = headingSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: (node) => [`h${node.attrs.level}`, OWN_DIRECTION, 0],
}));

/** A pasted line break is a line break, not a space; between text and code it becomes a new line and back. */
const hardbreak = hardbreakSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  linebreakReplacement: true,
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

/** Any block may begin an item, and an item may be a task; it is tight (no paragraph inside) unless it came otherwise. */
const listItem = listItemSchema.extendSchema((previous) => (ctx) => {
  const base = previous(ctx);
  return {
    ...base,
    content: 'block+',
    attrs: {
      ...base.attrs,
      checked: { default: null, validate: 'boolean|null' },
      spread: { default: false, validate: 'boolean' },
      noteId: { default: null },
    },
    toDOM: (node) =>
      node.attrs.checked === null
        ? (base.toDOM?.(node) ?? ['li', 0])
        : ['li', { 'data-item-type': 'task', 'data-checked': String(node.attrs.checked) }, 0],
  };
});

/** Milkdown numbers lists by a walk through the whole text at each letter: it begins where a list has changed. */
const changedLists: MilkdownPlugin = (ctx) => async () => {
  await ctx.wait(SchemaReady);
  const plugin = syncListOrderPlugin.plugin();
  const number = plugin.spec.appendTransaction;
  const numbered = new WeakSet<Node>();
  plugin.spec.appendTransaction = (transactions, before, now) => {
    const changed = now.doc.children.filter((block) => !numbered.has(block));
    const lists = changed.some(holdsList);
    // Those it leaves alone are looked at with the next.
    if (lists && transactions.some((tr) => !tr.isGeneric || tr.getMeta('addToHistory') === false)) return null;
    for (const block of changed) numbered.add(block);
    return lists ? number?.call(plugin, transactions, before, now) : null;
  };
};

const holdsList = (node: Node): boolean =>
  node.type.name === 'list_item' || (!node.isTextblock && node.children.some(holdsList));

/** The preset without what would change a text that nobody touched, and with our differences. */
export const documentPlugins: MilkdownPlugin[] = [
  // First, so that they are written outermost: <sup><a>.
  superscriptSchema,
  subscriptSchema,
  highlightSchema,
  underlineSchema,
  ...presetSchema,
  inlineNodesCursorPlugin,
  syncListOrderPlugin,
  ...typed,
  changedLists,
  strikeSchema,
  paragraph,
  heading,
  hardbreak,
  image,
  inlineCode,
  link,
  listItem,
  tablePlugins,
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

function shownPicture(attrs: Attrs): Record<string, string> {
  const { src, alt, title, width, height } = attrs;
  return present({ src, alt, title, width, height });
}
