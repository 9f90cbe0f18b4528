/** Small plugins of the editor's screen: its own keys, what an empty page says, boxes that tick. */

import { keymap } from '@milkdown/kit/prose/keymap';
import { type Command, Plugin, TextSelection } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { editorText } from '#blog/editor-text.ts';
import { mark, redo } from './commands.ts';
import { block, list, quote, tick } from './kinds.ts';

/** A line's end within a block; in code a new line is one already. */
const lineBreak: Command = (state, dispatch) => {
  const { hardbreak } = state.schema.nodes;
  const { $from } = state.selection;
  if (!hardbreak || $from.parent.type.spec.code || !$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(hardbreak.create()).scrollIntoView());
  return true;
};

/** The keys of the text's own tools, as the toolbar names them. */
export const ownKeys = (link: () => void) =>
  $prose(() =>
    keymap({
      'Mod-k': () => {
        link();
        return true;
      },
      'Mod-b': mark('strong'),
      'Mod-i': mark('emphasis'),
      'Mod-u': mark('underline'),
      'Mod-e': mark('inlineCode'),
      'Mod-Alt-x': mark('strike_through'),
      'Shift-Enter': lineBreak,
      // Taken also when there is nothing to redo: the keymap would look for Mod-z next.
      'Mod-Shift-z': (state, dispatch) => redo(state, dispatch) || true,
      'Mod-Enter': tick,
      'Mod-Shift-b': quote,
      'Mod-Alt-7': list('ordered'),
      'Mod-Alt-8': list('bullet'),
      'Mod-Alt-c': block('code_block'),
      'Mod-Alt-0': block('paragraph'),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`Mod-Alt-${level}`, block('heading', { level })])),
      'Alt-F10': (_state, _dispatch, view) => {
        view?.dom.closest('.text-editor')?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus();
        return true;
      },
    }),
  );

/** Code that was turned on without a selection stays on while it is written: its mark does not grow at its end. */
export const codeGoesOn = $prose(
  () =>
    new Plugin({
      appendTransaction: (transactions, before, { storedMarks, selection, tr, schema }) => {
        const code = before.storedMarks?.find(({ type }) => type === schema.marks.inlineCode);
        const written = transactions.some(({ docChanged }) => docChanged);
        const inCode = code?.isInSet(selection.$from.nodeBefore?.marks ?? []);
        return written && code && inCode && !storedMarks && selection.empty ? tr.addStoredMark(code) : null;
      },
    }),
);

/** What an empty page says. */
export const placeholder = $prose(
  () =>
    new Plugin({
      props: {
        decorations: ({ doc }) => {
          const only = doc.childCount === 1 ? doc.firstChild : null;
          if (only?.type.name !== 'paragraph' || only.childCount > 0) return null;
          const words = {
            class: 'editor-empty',
            'data-placeholder': editorText.placeholder,
          };
          return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, words)]);
        },
      },
    }),
);

/** A press on the box of a task ticks it. */
export const ticks = $prose(
  () =>
    new Plugin({
      props: {
        handleDOMEvents: {
          mousedown: (view, event) => {
            const item = event.target instanceof HTMLElement ? event.target : null;
            if (item?.tagName !== 'LI' || item.dataset.itemType !== 'task') return false;
            if (
              event.clientX >
              item.getBoundingClientRect().left + parseFloat(getComputedStyle(item).paddingInlineStart)
            )
              return false;
            const inside = view.posAtDOM(item, 0);
            tick(
              view.state.apply(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(inside)))),
              (tr) => {
                for (const step of tr.steps) view.dispatch(view.state.tr.step(step));
              },
            );
            event.preventDefault();
            return true;
          },
        },
      },
    }),
);
