/** Has a long text laid out in parts (text-parts.ts): without them each letter costs a walk through all text before it. */

import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import type { layOutInParts } from './text-parts.ts';

/** Blocks. Shorter texts cost little as they are. */
const LONG = 120;

/** Characters of HTML that are worth a look; what has more blocks than that and less is laid out in parts a moment later. */
const LONG_HTML = 20_000;

let make: typeof layOutInParts | undefined;

/** Tested in Chromium (which alone has edit contexts) and with its keyboards; others lay out the whole. */
const holds = () => 'EditContext' in window && matchMedia('(pointer: fine)').matches;

/** Fetches what a long text needs. */
async function fetchParts(): Promise<void> {
  if (make || !holds()) return;
  try {
    make = (await import('./text-parts.ts')).layOutInParts;
  } catch (error) {
    console.error('The text is laid out as a whole:', error);
  }
}

/** To be waited for before `html` is shown: else all of a long text would be laid out once. */
export const readyFor = async (html: string): Promise<void> => (html.length > LONG_HTML ? fetchParts() : undefined);

/** First of all plugins: what others measure has to be laid out. */
export const longText = $prose(() => {
  let parts: ReturnType<typeof layOutInParts> | undefined;
  let asked = false;
  return new Plugin({
    view: (view) => {
      if (!holds()) return {};
      const follow = () => {
        if (parts) parts.follow();
        else if (view.isDestroyed || view.dom.childElementCount <= LONG) return;
        // While an input method composes nothing under it is built anew.
        else if (make) parts = view.composing ? undefined : make(view);
        else if (!asked) {
          asked = true;
          void fetchParts().then(follow);
        }
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
