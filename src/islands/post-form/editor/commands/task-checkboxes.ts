import { Plugin, TextSelection } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import { tick } from './block-types.ts';

/** Toggles a task when its box is clicked. */
export const taskCheckboxes = $prose(
  () =>
    new Plugin({
      props: {
        handleDOMEvents: {
          mousedown: (view, event) => {
            const item = event.target instanceof HTMLElement ? event.target : null;
            if (!view.editable || item?.tagName !== 'LI' || item.dataset.itemType !== 'task') return false;
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
