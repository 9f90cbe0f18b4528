/** The schema of stored posts: Milkdown's preset with changes and additions. */

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
import type { Attrs } from '@milkdown/kit/prose/model';
import { $nodeSchema } from '@milkdown/kit/utils';
import { editorText } from '#blog/messages/editor.ts';
import { inputRules } from '../keys/input-rules.ts';
import { noMarkdown, present, simpleMark } from './mark-schemas.ts';
import { tablePlugins } from './table-schema.ts';

const underlineSchema = simpleMark('underline', 'u');
const subscriptSchema = simpleMark('subscript', 'sub');
const superscriptSchema = simpleMark('superscript', 'sup');
const highlightSchema = simpleMark('highlight', 'mark');
const strikeSchema = simpleMark('strike_through', 'del');

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

const footnotesSchema = $nodeSchema('footnotes', () => ({
  group: 'block',
  content: 'block+',
  defining: true,
  isolating: true,
  parseDOM: [{ tag: 'section[data-footnotes]' }],
  toDOM: () => ['section', { 'data-footnotes': '', 'aria-label': editorText.footnotes }, 0],
  ...noMarkdown,
}));

/** HTML that the schema cannot represent: shown as source and saved unchanged. */
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

/** Lets browsers detect the text direction of each block. */
const OWN_DIRECTION = { dir: 'auto' };

const paragraph = paragraphSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: () => ['p', OWN_DIRECTION, 0],
}));

/** Headings have no id: the renderer adds it, and it would change with every letter. */
const heading = headingSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: (node) => [`h${node.attrs.level}`, OWN_DIRECTION, 0],
}));

/** A pasted line break stays a break; it becomes a newline in code and vice versa. */
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

const link = linkSchema.extendSchema((previous) => (ctx) => {
  const base = previous(ctx);
  return {
    ...base,
    // Text typed after a link does not extend it.
    inclusive: false,
    attrs: { ...base.attrs, id: { default: null }, footnote: { default: null } },
    toDOM: (mark, inline) => {
      const { id: _id, footnote: _footnote, ...attrs } = mark.attrs;
      return base.toDOM?.({ ...mark, attrs } as unknown as typeof mark, inline) ?? ['a', 0];
    },
  };
});

/** An item may start with any block and may be a task; it is tight (without inner paragraphs) by default. */
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

/** Milkdown's preset without the plugins that would change an untouched text, plus the changes above. */
export const documentPlugins: MilkdownPlugin[] = [
  // These marks come first, so that they are serialized outermost: <sup><a>.
  superscriptSchema,
  subscriptSchema,
  highlightSchema,
  underlineSchema,
  ...presetSchema,
  inlineNodesCursorPlugin,
  syncListOrderPlugin,
  ...inputRules,
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
    // A missing description differs from an empty one, which the writer may have chosen.
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
