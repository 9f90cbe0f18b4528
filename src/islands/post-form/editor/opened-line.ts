/**
 * A line where blocks leave no room for one: above a table that begins the text, between two pictures. It is opened by a
 * press there, or by the arrow up, and is no part of the text until something stands in it: left empty, it goes.
 */

import { redoDepth } from '@milkdown/kit/prose/history';
import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';

/** Where the line begins; undefined while there is none. */
const key = new PluginKey<number | undefined>('OPENED_LINE');

/** Blocks beside which no cursor can stand that is not in them. */
const CLOSED = new Set(['table', 'figure', 'opaque', 'hr', 'code_block', 'footnotes', 'blockquote']);

export const isClosed = ({ type }: Node): boolean => CLOSED.has(type.name);

/** Opens a line before the block of the text that begins at `pos`. */
export function openLine({ tr, schema }: EditorState, pos: number): Transaction {
  const line = schema.nodes.paragraph?.create();
  if (!line) return tr;
  tr.insert(pos, line).setSelection(TextSelection.create(tr.doc, pos + 1));
  // What is undone is what was written in it.
  return tr.setMeta(key, pos).setMeta('addToHistory', false).scrollIntoView();
}

/** The text without a line that waits for words. */
export function withoutOpenedLine(state: EditorState): Node {
  const { doc } = state;
  const at = emptyLine(state);
  return at === undefined ? doc : doc.copy(doc.content.cut(0, at).append(doc.content.cut(at + 2)));
}

function emptyLine(state: EditorState): number | undefined {
  const at = key.getState(state);
  const isEmpty = at !== undefined && state.doc.nodeAt(at)?.content.size === 0;
  return isEmpty && state.doc.childCount > 1 ? at : undefined;
}

/** The place of the line that a press beside all blocks asks for. */
function pressedPlace(view: EditorView, pos: number, { target, clientY }: MouseEvent): number | undefined {
  if (target !== view.dom) return undefined;
  const { doc } = view.state;
  const near = doc.resolve(pos).index(0);
  for (const index of [near, near + 1]) {
    const [above, below] = [doc.maybeChild(index - 1), doc.maybeChild(index)];
    if (!below || !isClosed(below) || (above && !isClosed(above))) continue;
    const at = doc.resolve(0).posAtIndex(index, 0);
    const begins = edgeOf(view, at, 'top');
    const ended = above ? edgeOf(view, at - above.nodeSize, 'bottom') : Number.NEGATIVE_INFINITY;
    if (clientY > ended && clientY < begins) return at;
  }
  return undefined;
}

function edgeOf(view: EditorView, pos: number, side: 'top' | 'bottom'): number {
  const dom = view.nodeDOM(pos);
  return dom instanceof HTMLElement ? dom.getBoundingClientRect()[side] : Number.NaN;
}

export const openedLine = $prose(
  () =>
    new Plugin({
      key,
      state: {
        init: () => undefined,
        apply: (tr, before: number | undefined) => {
          const opened: number | undefined = tr.getMeta(key);
          if (opened !== undefined || before === undefined) return opened;
          const { pos, deletedAfter } = tr.mapping.mapResult(before);
          return !deletedAfter && tr.doc.nodeAt(pos)?.type.name === 'paragraph' ? pos : undefined;
        },
      },
      appendTransaction: (_transactions, _before, state) => {
        const at = emptyLine(state);
        const { from, to } = state.selection;
        // Words that were undone come back where they stood.
        if (at === undefined || (from > at && to < at + 2) || redoDepth(state) > 0) return null;
        return state.tr.delete(at, at + 2).setMeta('addToHistory', false);
      },
      props: {
        handleClick: (view, pos, event) => {
          const at = pressedPlace(view, pos, event);
          if (at === undefined) return false;
          view.dispatch(openLine(view.state, at));
          return true;
        },
      },
    }),
);
