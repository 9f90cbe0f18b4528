import { type EditorState, NodeSelection, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { plugin } from '../plugins.ts';

/** Moves the cursor past a selected block or picture, such as one just pasted, because typing would replace it. */
function moveBelowSelection({ selection, schema, tr }: EditorState): Transaction | undefined {
  const { paragraph: type } = schema.nodes;
  if (!(selection instanceof NodeSelection) || !type) return undefined;
  const { node, $from, $to, to } = selection;
  let at = to;
  if (node.isBlock || $from.parent.childCount === 1) {
    if (node.isInline) at = $to.after();
    const next = tr.doc.resolve(at).nodeAfter;
    if (node.isBlock || next?.type !== type || next.content.size > 0) tr.insert(at, type.create());
    at += 1;
  }
  return tr.setSelection(TextSelection.create(tr.doc, at));
}

/** Moves the cursor off a selected node, or deletes selected blocks, before an input method edits the DOM. */
function beforeComposition({ state, editable, composing, dispatch }: EditorView): false {
  const { selection, tr } = state;
  const inWords = selection instanceof TextSelection && selection.$from.sameParent(selection.$to);
  if (editable && !composing && !inWords)
    dispatch((moveBelowSelection(state) ?? tr.deleteSelection()).scrollIntoView());
  return false;
}

/** Returns true for a letter or digit key handled by an input method. Other keys may only switch the input method. */
const isComposingKey = ({ keyCode, code, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  keyCode === 229 && /^(?:Key|Digit)/.test(code) && !ctrlKey && !altKey && !metaKey;

export const replaceSelection = plugin({
  props: {
    handleTextInput: (view, _from, _to, text) => {
      const tr = moveBelowSelection(view.state);
      if (tr) view.dispatch(tr.insertText(text).scrollIntoView());
      return tr !== undefined;
    },
    handleDOMEvents: {
      // Handled on keydown, because at `compositionstart` browsers have already computed the position in the text.
      keydown: (view, event) => isComposingKey(event) && beforeComposition(view),
      compositionstart: beforeComposition,
    },
  },
});
