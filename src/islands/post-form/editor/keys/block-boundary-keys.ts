/** Keys at block boundaries: blocks of different types are not joined, and the cursor can leave every block. */

import { chainCommands } from '@milkdown/kit/prose/commands';
import { undoInputRule } from '@milkdown/kit/prose/inputrules';
import type { Node } from '@milkdown/kit/prose/model';
import { type Command, NodeSelection, Selection, TextSelection } from '@milkdown/kit/prose/state';
import { block } from '../commands/block-types.ts';
import { depthOf, type } from '../commands/text-commands.ts';
import { keyPlugin } from '../plugins.ts';
import { insertGapParagraph, isClosed } from './gap-paragraph.ts';

const paragraphAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { name, spec } = $from.parent.type;
  const plain = name === 'heading' || (spec.code && $from.parent.content.size === 0);
  return empty && plain === true && $from.parentOffset === 0 && block('paragraph')(state, dispatch);
};

const KEPT = new Set(['figure', 'table', 'opaque', 'footnotes']);
const ENTERED = new Set(['table', 'footnotes']);

/** Selects the figure or opaque block next to the cursor's block, or enters the nearest table cell or footnote. */
const enterOrSelect =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection;
    const atEdge = $from.parentOffset === (direction < 0 ? 0 : $from.parent.content.size);
    if (!empty || $from.depth === 0 || !$from.parent.isTextblock || !atEdge) return false;
    const edge = direction < 0 ? $from.before() : $from.after();
    const $edge = state.doc.resolve(edge);
    const beyond = direction < 0 ? $edge.nodeBefore : $edge.nodeAfter;
    if (!beyond || !KEPT.has(beyond.type.name)) return false;
    const { tr } = state;
    if (isBlank($from.parent) && $edge.parent.childCount > 1) tr.delete($from.before(), $from.after());
    const at = tr.mapping.map(edge, direction);
    const start = direction < 0 ? at - beyond.nodeSize : at;
    const selection = ENTERED.has(beyond.type.name)
      ? Selection.near(tr.doc.resolve(at + direction), direction)
      : NodeSelection.create(tr.doc, start);
    dispatch?.(tr.setSelection(selection).scrollIntoView());
    return true;
  };

const isBlank = (node: Node) => node.type.name === 'paragraph' && node.content.size === 0;

const selectFigure: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== 'figure' || $from.parentOffset > 0) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before())));
  return true;
};

/** Prevents Backspace at the start of the first footnote from removing it, because the text refers to it. */
const keepFirstNote: Command = ({ selection: { $from, empty } }) => {
  const notes = depthOf($from, 'footnotes');
  if (!empty || notes === 0 || $from.parentOffset > 0 || $from.parent.content.size === 0) return false;
  return Array.from({ length: $from.depth - notes }, (_, at) => $from.index(notes + at)).every((index) => index === 0);
};

const leaveCaption: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if ($from.parent.type.name !== 'figure' || !$from.sameParent($to)) return false;
  const rest = $from.parent.slice($to.parentOffset).content;
  const tr = state.tr.delete($from.pos, $from.end());
  const below = tr.mapping.map($from.after());
  tr.insert(below, type(state.schema, 'paragraph').create(null, rest));
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, below + 1)).scrollIntoView());
  return true;
};

/** If the text starts with a table or similar block and the cursor is in its first line, inserts a paragraph above. */
const aboveFirst: Command = (state, dispatch, view) => {
  const { selection, doc } = state;
  const first = doc.firstChild;
  if (!first || !isClosed(first)) return false;
  const inFirst = selection instanceof NodeSelection ? selection.from === 0 : isFirstLine(selection);
  if (!inFirst || (selection.$from.depth > 0 && !view?.endOfTextblock('up'))) return false;
  dispatch?.(insertGapParagraph(state, 0));
  return true;
};

function isFirstLine({ $from, empty }: Selection): boolean {
  const depths = Array.from({ length: $from.depth }, (_, depth) => depth);
  return empty && depths.every((depth) => $from.index(depth) === 0 || $from.node(depth).type.spec.tableRole === 'row');
}

const back = chainCommands(paragraphAtStart, selectFigure, keepFirstNote, enterOrSelect(-1));

export const blockBoundaryKeys = keyPlugin({
  Backspace: chainCommands(undoInputRule, back),
  'Shift-Backspace': back,
  'Mod-Backspace': back,
  Delete: enterOrSelect(1),
  'Mod-Delete': enterOrSelect(1),
  Enter: leaveCaption,
  ArrowUp: aboveFirst,
});
