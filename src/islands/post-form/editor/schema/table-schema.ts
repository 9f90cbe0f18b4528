import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import type { Attrs } from '@milkdown/kit/prose/model';
import { Selection, TextSelection } from '@milkdown/kit/prose/state';
import { CellSelection, goToNextCell, handlePaste, tableEditing, tableNodes } from '@milkdown/kit/prose/tables';
import { $nodeSchema, $prose } from '@milkdown/kit/utils';
// Prevents Safari from dropping text that an input method composes in an empty cell.
import { imeSpan } from 'prosemirror-safari-ime-span';
import { exitTable, nextCell, tableOf } from '../commands/text-commands.ts';
import { typedTable } from '../keys/typed-table.ts';
import { inputRule, keyPlugin, plugin } from '../plugins.ts';
import { noMarkdown, present } from './mark-schemas.ts';

/** The blocks allowed in a cell: all except tables and footnotes. */
const CELL_CONTENT =
  '(paragraph | heading | bullet_list | ordered_list | blockquote | code_block | figure | hr | opaque)+';

const base = tableNodes({ tableGroup: 'block', cellContent: CELL_CONTENT, cellAttributes: {} });

const tableSchema = $nodeSchema('table', () => ({
  ...base.table,
  content: '(table_header_row | table_row)+',
  disableDropCursor: true,
  ...noMarkdown,
}));

const headerRowSchema = $nodeSchema('table_header_row', () => ({
  ...base.table_row,
  content: '(table_header | table_cell)*',
  disableDropCursor: true,
  parseDOM: [{ tag: 'tr[data-is-header]' }],
  toDOM: () => ['tr', { 'data-is-header': '' }, 0],
  ...noMarkdown,
}));

const rowSchema = $nodeSchema('table_row', () => ({
  ...base.table_row,
  content: '(table_cell | table_header)*',
  disableDropCursor: true,
  ...noMarkdown,
}));

const cellSchema = (id: 'table_cell' | 'table_header', tag: 'td' | 'th') =>
  $nodeSchema(id, () => ({
    ...base[id],
    attrs: {
      colspan: { default: 1 },
      rowspan: { default: 1 },
      colwidth: { default: null },
      alignment: { default: null },
    },
    disableDropCursor: true,
    parseDOM: [{ tag, getAttrs: readCell }],
    toDOM: (node) => [tag, cellAttributes(node.attrs, 'data-align'), 0],
    ...noMarkdown,
  }));

export function readCell(dom: HTMLElement): Attrs {
  return {
    colspan: Number(dom.getAttribute('colspan') ?? 1),
    rowspan: Number(dom.getAttribute('rowspan') ?? 1),
    alignment: dom.getAttribute('align') ?? dom.dataset.align ?? null,
  };
}

/** Returns a cell's non-default attributes in stored order, with the alignment under the name `align`. */
export const cellAttributes = ({ colspan, rowspan, alignment }: Attrs, align: 'align' | 'data-align') =>
  present({ [align]: alignment, colspan: colspan > 1 ? colspan : null, rowspan: rowspan > 1 ? rowspan : null });

/** Turns "|3x2| " alone in a paragraph into a table of three columns and two rows. In a caption it stays text. */
const tableRule = inputRule(/^\|(\d{1,2})[xX](\d{1,2})\|\s$/, ({ doc, tr, schema }, [, columns, rows], start, end) => {
  const $start = doc.resolve(start);
  if ($start.parent.type.name === 'figure' || doc.resolve(end).parentOffset < $start.parent.content.size) return null;
  const table = tableOf(schema, Number(columns), Number(rows));
  if (!table || !$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), table.type)) return null;
  tr.replaceWith($start.before(), $start.after(), table);
  return tr.setSelection(TextSelection.near(tr.doc.resolve($start.before() + 1))).scrollIntoView();
});

const keys = keyPlugin({
  Enter: typedTable,
  Tab: nextCell,
  'Mod-]': nextCell,
  'Shift-Tab': goToNextCell(-1),
  'Mod-[': goToNextCell(-1),
  'Mod-Enter': exitTable,
});

/** Moves the cursor to the end of pasted cells, because typing would replace them while they are selected. */
const pastedCells = plugin({
  props: {
    handlePaste: (view, event, slice) => {
      if (!handlePaste(view, event, slice)) return false;
      const { selection, doc, tr } = view.state;
      if (selection instanceof CellSelection) {
        const end = selection.$headCell.pos + (selection.$headCell.nodeAfter?.nodeSize ?? 1) - 1;
        view.dispatch(tr.setSelection(Selection.near(doc.resolve(end), -1)));
      }
      return true;
    },
  },
});

export const tablePlugins: MilkdownPlugin[] = [
  tableSchema,
  headerRowSchema,
  rowSchema,
  cellSchema('table_header', 'th'),
  cellSchema('table_cell', 'td'),
  tableRule,
  keys,
  pastedCells,
  $prose(() => imeSpan),
  $prose(() => tableEditing({ allowTableNodeSelection: true })),
].flat();
