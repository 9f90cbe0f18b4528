import { joinBackward } from '@milkdown/kit/prose/commands';
import { keymap } from '@milkdown/kit/prose/keymap';
import { liftListItem, sinkListItem, splitListItem } from '@milkdown/kit/prose/schema-list';
import type { Command } from '@milkdown/kit/prose/state';
import { isInTable } from '@milkdown/kit/prose/tables';
import { $prose } from '@milkdown/kit/utils';
import { depthOf, type } from '../commands/text-commands.ts';

/** Splits an item; the new item is unchecked. */
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

/** At the start of an item, joins it with the item above or lifts it out of the list. */
const join: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  const atHead = empty && $from.parentOffset === 0 && $from.depth > 0 && $from.node(-1).type.name === 'list_item';
  return atHead && joinBackward(state, dispatch, view);
};

export const listKeys = $prose(() =>
  keymap({
    Enter: split,
    Tab: sink,
    'Mod-]': sink,
    'Shift-Tab': lift,
    'Mod-[': lift,
    Backspace: join,
  }),
);
