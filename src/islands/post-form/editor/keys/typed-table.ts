/** Creates a table when Enter is pressed after the header and delimiter rows of a Markdown table (GFM 4.10, tables). */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { Node } from '@milkdown/kit/prose/model';
import { type Command, TextSelection } from '@milkdown/kit/prose/state';
import { type } from '../commands/text-commands.ts';

/** Returns the ranges of a line's cells without surrounding spaces; undefined unless it starts and ends with `|`. */
function cellsOf(line: Node): [from: number, to: number][] | undefined {
  // Replaces each picture or line break with one character, so that offsets in the text are offsets in the line.
  const text = line.textBetween(0, line.content.size, null, '\ufffc');
  if (!/^\|.+\|\s*$/.test(text)) return undefined;
  return Array.from(text.matchAll(/(\|\s*)([^|]*?)\s*(?=\|)/g), ({ 1: bar = '', 2: words = '', index }) => {
    const from = index + bar.length;
    return [from, from + words.length];
  });
}

/** Returns the alignments in a line like `| :-- | --: |`, in order; undefined for any other line. */
function alignmentsOf(line: Node): (string | null)[] | undefined {
  const cells = line.textContent
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  if (!cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) return undefined;
  return cells.map((cell) => {
    const [, left, right] = /^\s*(:?)-+(:?)/.exec(cell) ?? [];
    return right ? (left ? 'center' : 'right') : left ? 'left' : null;
  });
}

export const typedTable: Command = ({ selection, schema, tr }, dispatch) => {
  const { $from, empty } = selection;
  const line = $from.parent;
  if (!empty || line.type.name !== 'paragraph' || $from.parentOffset !== line.content.size) return false;
  const [outer, index] = [$from.node(-1), $from.index(-1)];
  const head = index > 0 ? outer.child(index - 1) : undefined;
  const alignments = head?.type.name === 'paragraph' ? alignmentsOf(line) : undefined;
  const cells = head && alignments && cellsOf(head);
  const table = type(schema, 'table');
  if (!head || !cells || cells.length !== alignments.length) return false;
  if (!outer.canReplaceWith(index - 1, index + 1, table)) return false;
  const row = (rowName: string, cellName: string, content: (column: number) => Node) =>
    type(schema, rowName).create(
      null,
      alignments.map((alignment, column) => type(schema, cellName).create({ alignment }, content(column))),
    );
  const start = $from.before() - head.nodeSize;
  tr.replaceWith(
    start,
    $from.after(),
    table.create(null, [
      row('table_header_row', 'table_header', (column) => head.cut(...(cells[column] as [number, number]))),
      row('table_row', 'table_cell', () => type(schema, 'paragraph').create()),
    ]),
  );
  const below = start + 1 + (tr.doc.nodeAt(start)?.firstChild?.nodeSize ?? 0);
  tr.setSelection(TextSelection.near(tr.doc.resolve(below)));
  dispatch?.(closeHistory(tr).scrollIntoView());
  return true;
};
