/** Keys where one block ends and another begins: nothing is joined that does not belong together, and nobody gets stuck. */

import { chainCommands } from '@milkdown/kit/prose/commands';
import { undoInputRule } from '@milkdown/kit/prose/inputrules';
import { keymap } from '@milkdown/kit/prose/keymap';
import type { Node } from '@milkdown/kit/prose/model';
import { type Command, NodeSelection, Plugin, Selection, TextSelection } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import { depthOf } from './commands.ts';
import { block } from './kinds.ts';
import { isClosed, openLine } from './opened-line.ts';

/** A heading, or code without a letter, becomes a paragraph before it is joined with anything. */
const plainAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { type, content } = $from.parent;
  const plain = type.name === 'heading' || (type.name === 'code_block' && content.size === 0);
  return empty && plain && $from.parentOffset === 0 && block('paragraph')(state, dispatch);
};

const KEPT = new Set(['figure', 'table', 'opaque', 'footnotes']);
/** Those that the cursor can go into. */
const ENTERED = new Set(['table', 'footnotes']);

/**
 * Before or after a picture, a table, footnotes or foreign HTML: a picture is chosen, and so shown as what the next press
 * removes; in a table the cursor goes to the nearest cell, in footnotes to the nearest note. An empty paragraph on the way
 * goes.
 */
const towards =
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

/** At the head of a caption: the picture is chosen. */
const chooseFigure: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== 'figure' || $from.parentOffset > 0) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before())));
  return true;
};

/** At the head of the first note: it stays one, because the text refers to it. */
const stayNote: Command = ({ selection: { $from, empty } }) => {
  const notes = depthOf($from, 'footnotes');
  if (!empty || notes === 0 || $from.parentOffset > 0 || $from.parent.content.size === 0) return false;
  return Array.from({ length: $from.depth - notes }, (_, at) => $from.index(notes + at)).every((index) => index === 0);
};

/** From a caption into a paragraph below, with what stood behind the cursor. */
const leaveCaption: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const { paragraph: type } = state.schema.nodes;
  if ($from.parent.type.name !== 'figure' || !type || !$from.sameParent($to)) return false;
  const rest = $from.parent.slice($to.parentOffset).content;
  const tr = state.tr.delete($from.pos, $from.end());
  const below = tr.mapping.map($from.after());
  tr.insert(below, type.create(null, rest));
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, below + 1)).scrollIntoView());
  return true;
};

/** Up from a text that begins with code, a table, a picture, a quotation or a break: into a line before it. */
const aboveFirst: Command = (state, dispatch, view) => {
  const { selection, doc } = state;
  const first = doc.firstChild;
  if (!first || !isClosed(first)) return false;
  const inFirst = selection instanceof NodeSelection ? selection.from === 0 : isFirstLine(selection);
  if (!inFirst || (selection.$from.depth > 0 && !view?.endOfTextblock('up'))) return false;
  dispatch?.(openLine(state, 0));
  return true;
};

/** True where nothing of the text stands above the block of words that the cursor is in: of a table, in its first row. */
function isFirstLine({ $from, empty }: Selection): boolean {
  const depths = Array.from({ length: $from.depth }, (_, depth) => depth);
  return empty && depths.every((depth) => $from.index(depth) === 0 || $from.node(depth).type.spec.tableRole === 'row');
}

export const edges = $prose(() => {
  const back = chainCommands(plainAtStart, chooseFigure, stayNote, towards(-1));
  const keys = keymap({
    Backspace: chainCommands(undoInputRule, back),
    'Shift-Backspace': back,
    'Mod-Backspace': back,
    Delete: towards(1),
    'Mod-Delete': towards(1),
    Enter: leaveCaption,
    ArrowUp: aboveFirst,
  });
  return new Plugin({ props: keys.props });
});
