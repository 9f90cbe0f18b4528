/** What is typed, or composed by an input method, while blocks, cells or a picture are chosen. */

import { type EditorState, NodeSelection, Plugin, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';

/**
 * Letters typed while a block or a picture is chosen stand below it, behind a picture that stands among words: it goes by
 * Backspace or Delete alone. A picture is chosen when it has been pasted.
 */
function belowChosen({ selection, schema, tr }: EditorState): Transaction | undefined {
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

/**
 * An input method writes into the page itself, wherever the browser takes the cursor to be. Over more than words it would
 * take a picture's place, or leave halves of tables: the cursor goes where its words belong before it begins.
 */
function beforeComposition({ state, editable, composing, dispatch }: EditorView): false {
  const { selection, tr } = state;
  const inWords = selection instanceof TextSelection && selection.$from.sameParent(selection.$to);
  if (editable && !composing && !inWords) dispatch((belowChosen(state) ?? tr.deleteSelection()).scrollIntoView());
  return false;
}

/** The key of a letter, which an input method took: of those that only switch it, nothing becomes of the text. */
const isTaken = ({ keyCode, code, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  keyCode === 229 && /^(?:Key|Digit)/.test(code) && !ctrlKey && !altKey && !metaKey;

export const typedOver = $prose(
  () =>
    new Plugin({
      props: {
        handleTextInput: (view, _from, _to, text) => {
          const tr = belowChosen(view.state);
          if (tr) view.dispatch(tr.insertText(text).scrollIntoView());
          return tr !== undefined;
        },
        handleDOMEvents: {
          // Where there are keys. When the composition begins, browsers have counted already how far into the text it is.
          keydown: (view, event) => isTaken(event) && beforeComposition(view),
          compositionstart: beforeComposition,
        },
      },
    }),
);
