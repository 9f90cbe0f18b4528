/** A paragraph that a click or Arrow Up inserts where blocks leave no place for the cursor. Removed if left empty. */

import { redoDepth } from '@milkdown/kit/prose/history';
import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, PluginKey, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type } from '../commands/text-commands.ts';
import { plugin } from '../plugins.ts';

const key = new PluginKey<number | undefined>('OPENED_LINE');

const CLOSED = new Set(['table', 'figure', 'opaque', 'hr', 'code_block', 'footnotes', 'blockquote']);

export const isClosed = (block: Node): boolean => CLOSED.has(block.type.name);

export function insertGapParagraph({ tr, schema }: EditorState, pos: number): Transaction {
  tr.insert(pos, type(schema, 'paragraph').create()).setSelection(TextSelection.create(tr.doc, pos + 1));
  // Keeps the change out of the history, so that Undo reverts only the text.
  return tr.setMeta(key, pos).setMeta('addToHistory', false).scrollIntoView();
}

export function withoutGapParagraph(state: EditorState): Node {
  const { doc } = state;
  const at = emptyGapParagraph(state);
  return at === undefined ? doc : doc.copy(doc.content.cut(0, at).append(doc.content.cut(at + 2)));
}

function emptyGapParagraph(state: EditorState): number | undefined {
  const at = key.getState(state);
  const isEmpty = at !== undefined && state.doc.nodeAt(at)?.content.size === 0;
  return isEmpty && state.doc.childCount > 1 ? at : undefined;
}

function clickedGap(view: EditorView, pos: number, { target, clientY }: MouseEvent): number | undefined {
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

export const gapParagraph = plugin({
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
    const at = emptyGapParagraph(state);
    const { from, to } = state.selection;
    // Keeps the empty paragraph while Redo is possible, because Redo may insert text into it.
    if (at === undefined || (from > at && to < at + 2) || redoDepth(state) > 0) return null;
    return state.tr.delete(at, at + 2).setMeta('addToHistory', false);
  },
  props: {
    handleClick: (view, pos, event) => {
      const at = clickedGap(view, pos, event);
      if (at === undefined) return false;
      view.dispatch(insertGapParagraph(view.state, at));
      return true;
    },
  },
});
