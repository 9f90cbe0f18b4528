/**
 * What is typed stays in the text: nothing around it listens for letters, and the page's framework would walk from the text
 * up to the page for each of the five events of a key, before the letter is painted.
 */

import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';

const EVENTS = ['keydown', 'keypress', 'beforeinput', 'textInput', 'input', 'keyup'] as const;

/** Shortcuts and Escape are for the form, too. */
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

const stay = (event: Event) => {
  if (!(event instanceof KeyboardEvent) || isLetter(event)) event.stopPropagation();
};

/** By the browser's own means: the editor's would have it read the letter for them (`painted-first.ts`). */
export const typedLetters = $prose(
  () =>
    new Plugin({
      view: ({ dom }) => {
        for (const type of EVENTS) dom.addEventListener(type, stay);
        return {
          destroy: () => {
            for (const type of EVENTS) dom.removeEventListener(type, stay);
          },
        };
      },
    }),
);
