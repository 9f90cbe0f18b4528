/**
 * A letter is painted before the editor reads it (decision 027). The browser has put it into the text by itself; reading it
 * out of there, and all that follows from it, is a sixth of the time that a slow processor takes for a key.
 */

import { Plugin } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { slashQuery } from './slash.ts';

/** How ProseMirror waits for a change that comes in pieces: 20 ms, or until the next key. Not in its types. */
interface Reading {
  readonly domObserver: Readonly<Record<'flush' | 'flushSoon' | 'forceFlush', () => void>>;
}
const readingOf = (view: EditorView) => (view as EditorView & Reading).domObserver;

/** Whoever asks for the state of `view`, whatever for, finds all in it that stands on the screen. */
function readBeforeUse(view: EditorView): void {
  let { state } = view;
  Object.defineProperty(view, 'state', {
    configurable: true,
    get: () => {
      readingOf(view).forceFlush();
      return state;
    },
    set: (next) => {
      state = next;
    },
  });
}

export const paintedFirst = $prose(() => {
  /** Of the key that is held: what an input method or a phone's keyboard puts in comes without one. */
  let letter = '';
  return new Plugin({
    view: (view) => {
      readBeforeUse(view);
      return {};
    },
    props: {
      handleDOMEvents: {
        keydown: (view, { key, ctrlKey, metaKey, altKey, isComposing }) => {
          // Browsers tell late of a moved cursor: a shortcut acts where it stands.
          if ((ctrlKey || metaKey) && !view.composing) readingOf(view).flush();
          letter = key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing ? key : '';
          return false;
        },
        beforeinput: (view, { inputType, data, isComposing }) => {
          const isTyped =
            letter !== '' && data === letter && inputType === 'insertText' && !isComposing && !view.composing;
          if (!isTyped) return false;
          // The slash menu is there for the next key, however fast it comes.
          const isMenu = letter === '/' || slashQuery(view.state) !== undefined;
          if (!isMenu && document.getSelection()?.isCollapsed) readingOf(view).flushSoon();
          return false;
        },
      },
    },
  });
});
