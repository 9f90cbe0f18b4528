/** Gives each paste, drop or cut its own undo step, instead of joining it with text typed within half a second. */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { Transaction } from '@milkdown/kit/prose/state';
import { plugin } from '../plugins.ts';

export const isClipboardChange = (tr: Transaction): boolean =>
  tr.getMeta('paste') === true || /^(?:paste|drop|cut)$/.test(tr.getMeta('uiEvent'));

/** Must be registered after plugins that extend a paste, so that their changes belong to the same undo step. */
export const undoBoundary = plugin({
  // `filterTransaction` is the only hook that runs before the history.
  filterTransaction: (tr) => {
    if (isClipboardChange(tr)) closeHistory(tr);
    return true;
  },
  appendTransaction: (transactions, _before, { tr }) =>
    transactions.some(isClipboardChange) ? closeHistory(tr) : null,
});
