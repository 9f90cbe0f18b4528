/** Turns quotes, hyphens and dots into typographic characters; one undo step or Backspace restores the typed text. */

import { closeHistory, undo } from '@milkdown/kit/prose/history';
import { type EditorState, PluginKey, TextSelection } from '@milkdown/kit/prose/state';
import { language as siteLanguage } from '#blog/messages/language.ts';
import { plugin } from '../plugins.ts';
import { TYPED_SIGNS, typeset } from './typeset.ts';
import { isTypographyOn } from './typography-setting.ts';

const key = new PluginKey<boolean>('typography');
const LOOKED_AT = 500;

const isCode = ({ selection: { $from }, storedMarks }: EditorState): boolean =>
  $from.parent.type.spec.code === true || (storedMarks ?? $from.marks()).some((mark) => mark.type.spec.code);

/** Creates the plugin. @param language returns the post's language as a BCP 47 code, or '' to detect it */
export const typography = (language: () => string) =>
  plugin<boolean>({
    key,
    state: {
      init: () => false,
      apply: (tr, was) => tr.getMeta(key) ?? (was && !tr.docChanged && !tr.selectionSet),
    },
    props: {
      handleDOMEvents: {
        focus: () => {
          void loadGuess();
          return false;
        },
      },
      handleTextInput(view, from, to, typed) {
        const { state } = view;
        if (typed.length !== 1 || !TYPED_SIGNS.includes(typed) || view.composing) return false;
        if (!(state.selection instanceof TextSelection) || isCode(state) || !isTypographyOn()) return false;
        const $from = state.doc.resolve(from);
        const begin = Math.max(0, $from.parentOffset - LOOKED_AT);
        const before = $from.parent.textBetween(begin, $from.parentOffset, null, '\ufffc');
        const found = typeset(before, typed, language() || languageIn(state));
        if (!found || found.inserted === typed) return false;
        const start = from - found.removed;
        view.dispatch(state.tr.insertText(found.typed, start, to).scrollIntoView());
        const { tr } = view.state;
        view.dispatch(closeHistory(tr.insertText(found.inserted, start, start + found.typed.length)));
        view.dispatch(closeHistory(view.state.tr).setMeta(key, true));
        return true;
      },
      handleKeyDown(view, { key: pressed, ctrlKey, metaKey, altKey, shiftKey }) {
        const isPlain = !(ctrlKey || metaKey || altKey || shiftKey);
        return pressed === 'Backspace' && isPlain && key.getState(view.state) === true
          ? undo(view.state, view.dispatch)
          : false;
      },
    },
  });

/** Number of characters used to detect the language. */
const SAMPLE = 4000;

let guess: typeof import('#blog/content/code/language.ts').textLanguageOf | undefined;

/** Loads the word lists for language detection; call it when the text gets the focus. Never fails. */
async function loadGuess(): Promise<void> {
  guess ??= await import('#blog/content/code/language.ts').then(
    ({ textLanguageOf }) => textLanguageOf,
    () => undefined,
  );
}

/** Returns the BCP 47 code of the text's language; the site's if none is detected or `loadGuess` has not finished. */
const languageIn = ({ doc }: EditorState): string =>
  guess?.(doc.textBetween(0, Math.min(doc.content.size, SAMPLE), '\n'))?.code ?? siteLanguage();
