/** Commands that change the type of blocks: heading, code, quote, list. They never lose a picture or a line. */

import { lift, wrapIn } from '@milkdown/kit/prose/commands';
import { type Attrs, Fragment, type Node, type NodeType } from '@milkdown/kit/prose/model';
import { liftListItem, wrapInList } from '@milkdown/kit/prose/schema-list';
import {
  AllSelection,
  type Command,
  type EditorState,
  TextSelection,
  type Transaction,
} from '@milkdown/kit/prose/state';
import { depthOf, type } from './text-commands.ts';

/** Runs `command`, but excludes the trailing empty paragraph from a selection made by Select All. */
const overText =
  (command: Command): Command =>
  (state, dispatch, view) => {
    if (!(state.selection instanceof AllSelection)) return command(state, dispatch, view);
    const { doc, tr } = state;
    const { lastChild, childCount, content } = doc;
    const waits = childCount > 1 && lastChild?.type.name === 'paragraph' && lastChild.content.size === 0;
    const end = content.size - (waits ? lastChild.nodeSize : 0);
    return command(
      state.apply(tr.setSelection(TextSelection.between(doc.resolve(0), doc.resolve(end)))),
      dispatch,
      view,
    );
  };

interface ConvertibleBlock {
  readonly node: Node;
  readonly pos: number;
}

/**
 * Returns the selected text blocks that can become `wanted`. Excludes figures and, if `wanted` is code, blocks that
 * contain anything but text and line breaks.
 */
function convertible({ selection, doc }: EditorState, wanted: NodeType): ConvertibleBlock[] {
  const found: ConvertibleBlock[] = [];
  for (const { $from, $to } of selection.ranges) {
    doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      const holds = wanted.spec.code
        ? node.children.every(({ isText, type }) => isText || type.name === 'hardbreak')
        : true;
      if (node.isTextblock && node.type.name !== 'figure' && holds) found.push({ node, pos });
      return !node.isTextblock;
    });
  }
  return found;
}

function asOneCode(found: readonly ConvertibleBlock[], code: NodeType, { doc }: EditorState): Node | undefined {
  const follow = found.every(({ pos }, index) => {
    const before = found[index - 1];
    return !before || before.pos + before.node.nodeSize === pos;
  });
  const first = found[0];
  if (!first || found.length < 2 || !follow || found.some(({ node }) => node.type === code)) return undefined;
  const $first = doc.resolve(first.pos);
  if (!$first.parent.canReplaceWith($first.index(), $first.index() + found.length, code)) return undefined;
  const text = found.map(({ node }) => node.textBetween(0, node.content.size, '\n', () => '\n')).join('\n');
  return code.create(null, text ? code.schema.text(text) : null);
}

/**
 * Turns the selected blocks into blocks of type `name`, or into paragraphs if the first block already has that type. If
 * `name` is code, adjacent blocks become a single block.
 */
export const block = (name: string, attrs: Attrs = {}): Command =>
  overText((state, dispatch) => {
    const { schema, tr } = state;
    const wanted = type(schema, name);
    const found = convertible(state, wanted);
    const [first] = found;
    const last = found.at(-1);
    if (!first || !last) return false;
    const isSo = first.node.hasMarkup(wanted, { ...first.node.attrs, ...attrs });
    const one = wanted.spec.code ? asOneCode(found, wanted, state) : undefined;
    if (one) {
      tr.replaceWith(first.pos, last.pos + last.node.nodeSize, one);
      tr.setSelection(TextSelection.create(tr.doc, first.pos + one.nodeSize - 1));
    } else {
      for (const { node, pos } of found) {
        const from = tr.mapping.map(pos);
        const to = from + node.nodeSize;
        if (isSo) tr.setBlockType(from, to, type(schema, 'paragraph'));
        else tr.setBlockType(from, to, wanted, attrs);
      }
    }
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  });

export const quote: Command = overText((state, dispatch) =>
  depthOf(state.selection.$from, 'blockquote') > 0
    ? lift(state, dispatch)
    : wrapIn(type(state.schema, 'blockquote'))(state, dispatch),
);

export type ListKind = 'bullet' | 'ordered' | 'task';

/**
 * Wraps the selection in a list of kind `kind`. If the selection is in a list of another kind, changes that list to
 * `kind`; if the list is already of this kind, lifts the selection out of it.
 */
export const list = (kind: ListKind): Command =>
  overText((state, dispatch) => {
    const { schema } = state;
    const { $from, $to } = state.selection;
    const wanted = type(schema, kind === 'ordered' ? 'ordered_list' : 'bullet_list');
    const item = depthOf($from, 'list_item');
    const beyond = item > 0 && $to.pos > $from.end(item - 1);
    if (item === 0 || beyond) {
      const joined = oneList(state, wanted, kind);
      if (joined) {
        dispatch?.(joined);
        return true;
      }
    }
    if (item === 0) {
      return wrapInList(wanted)(state, (tr) => {
        headingsToParagraphs(tr);
        markItems(tr, kind);
        dispatch?.(tr);
      });
    }
    const now = $from.node(item - 1);
    const isTask = $from.node(item).attrs.checked !== null;
    const isSo = now.type === wanted && isTask === (kind === 'task');
    if (isSo) return liftListItem(type(schema, 'list_item'))(state, dispatch);
    const { tr } = state;
    tr.setNodeMarkup($from.before(item - 1), wanted, wanted === now.type ? now.attrs : {});
    markItems(tr, kind);
    dispatch?.(tr);
    return true;
  });

function oneList({ selection, tr, schema }: EditorState, wanted: NodeType, kind: ListKind): Transaction | undefined {
  const { $from, $to } = selection;
  const depth = $from.sharedDepth($to.pos);
  const outer = $from.node(depth);
  const isList = ({ type }: Node) => type.name === 'bullet_list' || type.name === 'ordered_list';
  const blocks = outer.children.slice($from.index(depth), $to.indexAfter(depth));
  if (isList(outer) || blocks.length < 2 || !blocks.some(isList)) return undefined;
  const item = type(schema, 'list_item');
  const items = blocks.flatMap((each) => (isList(each) ? each.children : [item.create(null, each)]));
  const start = $from.posAtIndex($from.index(depth), depth);
  const end = $from.posAtIndex($to.indexAfter(depth), depth);
  const node = wanted.create(null, Fragment.from(items));
  tr.replaceWith(start, end, node);
  tr.setSelection(TextSelection.between(tr.doc.resolve(start + 1), tr.doc.resolve(start + node.nodeSize - 1)));
  headingsToParagraphs(tr);
  markItems(tr, kind);
  return tr;
}

function headingsToParagraphs(tr: Transaction): void {
  const { from, to } = tr.selection;
  tr.doc.nodesBetween(from, to, ({ type: { name, schema } }, pos) => {
    if (name === 'heading') tr.setNodeMarkup(pos, type(schema, 'paragraph'), {});
  });
}

/** Updates the attributes of the items in the innermost list, because Milkdown would otherwise restore the old kind. */
function markItems(tr: Transaction, kind: ListKind): void {
  const { $from } = tr.selection;
  const depth = depthOf($from, 'list_item');
  if (depth === 0) return;
  const start = $from.start(depth - 1);
  $from.node(depth - 1).forEach((item, offset, index) => {
    tr.setNodeMarkup(start + offset, null, {
      ...item.attrs,
      listType: kind === 'ordered' ? 'ordered' : 'bullet',
      label: kind === 'ordered' ? `${index + 1}.` : '•',
      checked: kind === 'task' ? (item.attrs.checked ?? false) : null,
    });
  });
}

export const tick: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const depth = depthOf($from, 'list_item');
  const item = depth > 0 ? $from.node(depth) : undefined;
  if (!item || item.attrs.checked === null) return false;
  dispatch?.(state.tr.setNodeMarkup($from.before(depth), null, { ...item.attrs, checked: !item.attrs.checked }));
  return true;
};
