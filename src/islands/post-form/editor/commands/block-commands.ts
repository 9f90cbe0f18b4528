import { type Command, NodeSelection, TextSelection } from '@milkdown/kit/prose/state';
import { isInTable, selectedRect } from '@milkdown/kit/prose/tables';
import { type } from './text-commands.ts';

export { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from '@milkdown/kit/prose/tables';

export const align =
  (alignment: 'left' | 'center' | 'right'): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { map, table: whole, tableStart, left, right } = selectedRect(state);
    const cells = map.cellsInRect({ left, right, top: 0, bottom: map.height });
    const isSo = cells.every((pos) => whole.nodeAt(pos)?.attrs.alignment === alignment);
    const { tr } = state;
    for (const pos of cells) tr.setNodeAttribute(tableStart + pos, 'alignment', isSo ? null : alignment);
    dispatch?.(tr);
    return true;
  };

export const headerRow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { schema, tr } = state;
  const { table: whole, tableStart } = selectedRect(state);
  const first = whole.firstChild;
  if (!first) return false;
  const isHeader = first.type.name === 'table_header_row';
  const rowType = type(schema, isHeader ? 'table_row' : 'table_header_row');
  const cellType = type(schema, isHeader ? 'table_cell' : 'table_header');
  first.forEach((cell, offset) => void tr.setNodeMarkup(tableStart + 1 + offset, cellType, cell.attrs));
  dispatch?.(tr.setNodeMarkup(tableStart, rowType));
  return true;
};

/** Turns a picture into a figure with an empty caption, or a figure into a picture with its caption as a paragraph. */
export const caption =
  (pos: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos);
    const { tr, schema } = state;
    if (!node || !dispatch) return Boolean(node);
    if (node.type.name === 'figure') {
      const picture = type(schema, 'paragraph').create(null, type(schema, 'image').create(node.attrs));
      const words = node.childCount > 0 ? [type(schema, 'paragraph').create(null, node.content)] : [];
      tr.replaceWith(pos, pos + node.nodeSize, [picture, ...words]);
      tr.setSelection(NodeSelection.create(tr.doc, pos + 1));
    } else {
      const figure = type(schema, 'figure').create(node.attrs);
      const $pos = state.doc.resolve(pos);
      const alone = $pos.parent.childCount === 1 && $pos.depth > 0;
      if (alone) tr.replaceWith($pos.before(), $pos.after(), figure);
      else tr.delete(pos, pos + 1).insert(tr.mapping.map($pos.after()), figure);
      const at = alone ? $pos.before() : tr.mapping.map($pos.after()) - figure.nodeSize;
      tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
    }
    dispatch(tr.scrollIntoView());
    return true;
  };

export const removeNode =
  (pos: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos);
    if (!node) return false;
    dispatch?.(state.tr.delete(pos, pos + node.nodeSize).scrollIntoView());
    return true;
  };

/** Changes an attribute of the node at `pos`. A selected picture stays selected, so its floating toolbar stays open. */
export const setAttribute =
  (pos: number, name: string, value: string): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos);
    if (!node || !(name in node.attrs)) return false;
    dispatch?.(state.tr.setNodeAttribute(pos, name, value));
    return true;
  };
