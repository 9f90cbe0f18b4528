import { type Command, Plugin, TextSelection } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import { block, list, quote, tick } from '../commands/block-types.ts';
import { mark, redo } from '../commands/text-commands.ts';
import { keyPlugin, plugin } from '../plugins.ts';

const lineBreak: Command = (state, dispatch) => {
  const { hardbreak } = state.schema.nodes;
  const { $from } = state.selection;
  if (!hardbreak || $from.parent.type.spec.code || !$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(hardbreak.create()).scrollIntoView());
  return true;
};

export const textKeys = (link: () => void) =>
  keyPlugin({
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
    // Handled even if there is nothing to redo, because the keymap would otherwise try Mod-z next.
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
  });

/** Updates the selection before a shortcut runs, because browsers report a moved cursor asynchronously. */
export const cursorBeforeShortcuts = plugin({
  props: {
    handleDOMEvents: {
      keydown: (view, { ctrlKey, metaKey }) => {
        const matters = ctrlKey || metaKey || !(view.state.selection instanceof TextSelection);
        if (matters && !view.composing) document.dispatchEvent(new Event('selectionchange'));
        return false;
      },
    },
  },
});

/** Keeps inline code active while typing, because text typed at its end would otherwise not be code. */
export const inlineCodeContinues = plugin({
  appendTransaction: (transactions, before, { storedMarks, selection, tr, schema }) => {
    const code = before.storedMarks?.find(({ type }) => type === schema.marks.inlineCode);
    const written = transactions.some(({ docChanged }) => docChanged);
    const inCode = code?.isInSet(selection.$from.nodeBefore?.marks ?? []);
    return written && code && inCode && !storedMarks && selection.empty ? tr.addStoredMark(code) : null;
  },
});

/** Lets Tab leave the text after Escape, because Tab otherwise indents a list or goes to the next cell (WCAG 2.1.2). */
export const tabExit = $prose(() => {
  let leaving = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { key }) => {
          const leave = leaving && key === 'Tab';
          if (key !== 'Shift') leaving = key === 'Escape';
          return leave;
        },
      },
    },
  });
});
