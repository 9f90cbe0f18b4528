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
import type { Attrs, TagParseRule } from '@milkdown/kit/prose/model';
import { $nodeSchema } from '@milkdown/kit/utils';
import { editorText } from '#blog/messages/editor.ts';
import { inputRules } from '../keys/input-rules.ts';
import { noMarkdown, present, simpleMark } from './mark-schemas.ts';
import { tablePlugins } from './table-schema.ts';

const PICTURE_ATTRS = ['src', 'alt', 'title', 'width', 'height'] as const;
const pictureAttrs = Object.fromEntries(PICTURE_ATTRS.map((name) => [name, { default: name === 'src' ? '' : null }]));

function readPicture(image: Element | null): Attrs | false {
  // Keeps a missing description (null) distinct from an empty one, which the writer may have chosen.
  const attrs = image && Object.fromEntries(PICTURE_ATTRS.map((name) => [name, image.getAttribute(name)]));
  return attrs !== null && { ...attrs, src: attrs.src ?? '' };
}

/** Parse rules that the editor's schema shares with `html/parse-rules.ts`. */
export const domRules = {
  image: { tag: 'img[src]', getAttrs: readPicture },
  figure: {
    tag: 'figure',
    getAttrs: (figure) => readPicture(figure.querySelector('img')),
    contentElement: (figure) =>
      (figure as Element).querySelector<HTMLElement>('figcaption') ?? document.createElement('figcaption'),
  },
  opaque: { tag: 'div[data-opaque]', getAttrs: ({ dataset }) => ({ source: dataset.opaque ?? '' }) },
} satisfies Record<string, TagParseRule>;

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
  attrs: pictureAttrs,
  parseDOM: [domRules.figure],
  toDOM: (node) => ['figure', ['img', present(node.attrs)], ['figcaption', OWN_DIRECTION, 0]],
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
  parseDOM: [domRules.opaque],
  toDOM: (node) => ['div', { 'data-opaque': node.attrs.source }, ['pre', node.attrs.source]],
  leafText: (node) => node.attrs.source,
  ...noMarkdown,
}));

const image = imageSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: pictureAttrs,
  parseDOM: [domRules.image],
  toDOM: (node) => ['img', present(node.attrs)],
}));

/** Lets browsers detect the text direction of each block. */
const OWN_DIRECTION = { dir: 'auto' };

const paragraph = paragraphSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: () => ['p', OWN_DIRECTION, 0],
}));

/** Headings in the editor have no id, because it would change with every keystroke. The renderer adds it. */
const heading = headingSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  toDOM: (node) => [`h${node.attrs.level}`, OWN_DIRECTION, 0],
}));

/** Converting a block to code turns line breaks into newlines. Converting code to text turns them back. */
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

/** Milkdown's preset without the plugins that would change unedited content, plus this editor's additions. */
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
