/**
 * What is pasted, dropped or cut is one step to take back. Half a second would join it with the letters typed just before
 * and just behind it, and Undo take them all.
 */

import { closeHistory } from '@milkdown/kit/prose/history';
import { Plugin, type Transaction } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';

/** Whether a change is a paste, a drop or a cut. */
export const isStep = (tr: Transaction): boolean =>
  tr.getMeta('paste') === true || /^(?:paste|drop|cut)$/.test(tr.getMeta('uiEvent'));

/** The plugin. What other plugins add to a paste belongs to its step: put this behind them. */
export const ownStep = $prose(
  () =>
    new Plugin({
      // The one place that sees a change before the history does.
      filterTransaction: (tr) => {
        if (isStep(tr)) closeHistory(tr);
        return true;
      },
      appendTransaction: (transactions, _before, { tr }) => (transactions.some(isStep) ? closeHistory(tr) : null),
    }),
);
