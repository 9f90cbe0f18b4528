import { joinBackward } from '@milkdown/kit/prose/commands';
import { liftListItem, sinkListItem, splitListItem } from '@milkdown/kit/prose/schema-list';
import { type Command, TextSelection } from '@milkdown/kit/prose/state';
import { isInTable } from '@milkdown/kit/prose/tables';
import { tick } from '../commands/block-types.ts';
import { depthOf, type } from '../commands/text-commands.ts';
import { keyPlugin, plugin } from '../plugins.ts';

const split: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const item = $from.node(depthOf($from, 'list_item'));
  const { checked } = item.attrs;
  const next = { ...item.attrs, noteId: null, checked: checked === null ? null : false };
  return splitListItem(type(state.schema, 'list_item'), next)(state, dispatch);
};

/** Handles Tab even if the item cannot be indented, so that the focus stays in the text. */
const sink: Command = (state, dispatch) => {
  if (isInTable(state) || depthOf(state.selection.$from, 'list_item') === 0) return false;
  return sinkListItem(type(state.schema, 'list_item'))(state, dispatch) || true;
};

const lift: Command = (state, dispatch) =>
  !isInTable(state) && liftListItem(type(state.schema, 'list_item'))(state, dispatch);

/** If the cursor is at the start of an item, joins the item with the one above or lifts it out of the list. */
const join: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  const atHead = empty && $from.parentOffset === 0 && $from.depth > 0 && $from.node(-1).type.name === 'list_item';
  return atHead && joinBackward(state, dispatch, view);
};

export const listKeys = keyPlugin({
  Enter: split,
  Tab: sink,
  'Mod-]': sink,
  'Shift-Tab': lift,
  'Mod-[': lift,
  Backspace: join,
});

export const taskCheckboxes = plugin({
  props: {
    handleDOMEvents: {
      mousedown: (view, event) => {
        const item = event.target instanceof HTMLElement ? event.target : null;
        if (!view.editable || item?.tagName !== 'LI' || item.dataset.itemType !== 'task') return false;
        const box = Number.parseFloat(getComputedStyle(item).paddingInlineStart);
        if (event.clientX > item.getBoundingClientRect().left + box) return false;
        const { state } = view;
        const inside = TextSelection.near(state.doc.resolve(view.posAtDOM(item, 0)));
        tick(state.apply(state.tr.setSelection(inside)), (tr) => {
          for (const step of tr.steps) view.dispatch(view.state.tr.step(step));
        });
        event.preventDefault();
        return true;
      },
    },
  },
});
