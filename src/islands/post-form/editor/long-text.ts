/** Has a long text laid out in parts (text-parts.ts): without them each letter costs a walk through all text before it. */

import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import type { layOutInParts } from './text-parts.ts';

/** Blocks. Shorter texts cost little as they are. */
const LONG = 120;

/** First of all plugins: what others measure has to be laid out. */
export const longText = $prose(() => {
  let parts: ReturnType<typeof layOutInParts> | undefined;
  let make: typeof layOutInParts | undefined;
  let asked = false;
  return new Plugin({
    view: (view) => {
      // Tested in Chromium (which alone has edit contexts) and with its keyboards; others lay out the whole.
      if (!('EditContext' in window) || !matchMedia('(pointer: fine)').matches) return {};
      const follow = () => {
        // While an input method composes nothing under it is built anew.
        if (make && !parts && !view.composing && !view.isDestroyed) parts = make(view);
        else parts?.follow();
        if (asked || view.dom.childElementCount <= LONG) return;
        asked = true;
        import('./text-parts.ts').then(
          (module) => {
            make = module.layOutInParts;
            follow();
          },
          (error: unknown) => console.error('The text is laid out as a whole:', error),
        );
      };
      follow();
      return { update: follow };
    },
    props: {
      handleDOMEvents: {
        keydown: (_view, { key, ctrlKey, metaKey }) => {
          if (key.length > 1 || ctrlKey || metaKey) parts?.open(true);
          return false;
        },
      },
    },
  });
});
