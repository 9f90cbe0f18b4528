import { toggleMark } from '@milkdown/kit/prose/commands';
import { redo, undo } from '@milkdown/kit/prose/history';
import type { Attrs, Node, NodeType, ResolvedPos, Schema } from '@milkdown/kit/prose/model';
import { type Command, type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import { addRowAfter, goToNextCell, isInTable } from '@milkdown/kit/prose/tables';

export { redo, undo };

export const mark =
  (name: string, attrs?: Attrs): Command =>
  (state, dispatch, view) => {
    const type = state.schema.marks[name];
    return type ? toggleMark(type, attrs)(state, dispatch, view) : false;
  };

export const rule: Command = (state, dispatch) => insertBlock(type(state.schema, 'hr').create())(state, dispatch);

export const table: Command = (state, dispatch) => {
  const node = tableOf(state.schema, 3, 3);
  return !isInTable(state) && node !== undefined && insertBlock(node)(state, dispatch);
};

export function tableOf(schema: Schema, columns: number, rows: number): Node | undefined {
  const row = (rowName: string, cellName: string) =>
    type(schema, rowName).create(
      null,
      Array.from({ length: columns }, () => type(schema, cellName).createAndFill() as Node),
    );
  if (columns === 0 || rows === 0) return undefined;
  return type(schema, 'table').create(null, [
    row('table_header_row', 'table_header'),
    ...Array.from({ length: rows - 1 }, () => row('table_row', 'table_cell')),
  ]);
}

export const nextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!dispatch || !view) return true;
  addRowAfter(state, dispatch);
  return goToNextCell(1)(view.state, dispatch);
};

export const exitTable: Command = (state, dispatch) => {
  const depth = depthOf(state.selection.$head, 'table');
  if (depth === 0) return false;
  const end = state.selection.$head.after(depth);
  const tr = state.tr.insert(end, type(state.schema, 'paragraph').create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView());
  return true;
};

/** Links the range `from`–`to`, replacing other links. For an empty range, inserts the URL as text. */
export const setLink =
  (href: string, { from, to }: { from: number; to: number }): Command =>
  (state, dispatch) => {
    const link = state.schema.marks.link;
    if (!link || !dispatch) return Boolean(link);
    const { tr } = state;
    if (from === to) tr.insertText(href.replace(/^(?:mailto|tel|sms):/, ''), from);
    const end = from === to ? tr.mapping.map(to) : to;
    tr.removeMark(from, end, link).addMark(from, end, link.create({ href }));
    tr.setSelection(TextSelection.create(tr.doc, end)).removeStoredMark(link);
    dispatch(tr.scrollIntoView());
    return true;
  };

export const removeLink =
  ({ from, to }: { from: number; to: number }): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.removeMark(from, to, state.schema.marks.link));
    return true;
  };

/** Inserts `node` in place of an empty paragraph or below the current block. Moves the cursor into or past the node. */
export const insertBlock =
  (node: Node): Command =>
  (state, dispatch) => {
    const { $from } = state.selection;
    const parent = $from.parent;
    const replaces = parent.type.name === 'paragraph' && parent.childCount === 0;
    const from = replaces ? $from.before() : $from.depth > 0 ? $from.after() : $from.pos;
    const { tr } = state;
    tr.replaceWith(from, replaces ? $from.after() : from, node);
    const end = from + node.nodeSize;
    const cursor = node.type.isAtom || node.childCount === 0 ? end : from + 1;
    if (cursor === end && !tr.doc.resolve(end).nodeAfter) tr.insert(end, type(state.schema, 'paragraph').create());
    tr.setSelection(TextSelection.near(tr.doc.resolve(cursor)));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

export function depthOf($pos: ResolvedPos, name: string): number {
  for (let depth = $pos.depth; depth > 0; depth -= 1) if ($pos.node(depth).type.name === name) return depth;
  return 0;
}

export function type(schema: Schema, name: string): NodeType {
  const found = schema.nodes[name];
  if (!found) throw new Error(`The editor's document knows no ${name}.`);
  return found;
}

/** Returns true if the range contains inline code, or follows an unclosed backtick that may make it code. */
export function isCode({ doc }: EditorState, start: number, end: number): boolean {
  let found = false;
  doc.nodesBetween(start, end, ({ marks }) => {
    found ||= marks.some((mark) => mark.type.spec.code);
  });
  const $start = doc.resolve(start);
  const before = $start.parent.textBetween(0, $start.parentOffset, null, ' ');
  return found || before.split('`').length % 2 === 0;
}

export function linkAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  if (/^(https?:\/\/[^/]|mailto:.+@|(?:tel|sms):.|[/#?])/i.test(text))
    return text.startsWith('//') ? `https:${text}` : text;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^:/]+\.[a-z]{2,}(:\d+)?(\/|$)/i.test(text)) return undefined;
  if (/^[^@/]+@[^@/]+\.[^@/]+$/.test(text)) return `mailto:${text}`;
  return /^[^/]+\.[^/.]{2,}/.test(text) || /^localhost\b/.test(text) ? `https://${text}` : undefined;
}
