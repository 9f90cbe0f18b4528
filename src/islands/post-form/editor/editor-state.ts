import { redoDepth, undoDepth } from '@milkdown/kit/prose/history';
import type { Mark, Node } from '@milkdown/kit/prose/model';
import { type EditorState, NodeSelection, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import type { ListKind } from './commands/block-types.ts';
import { depthOf } from './commands/text-commands.ts';
import { withoutGapParagraph } from './keys/gap-paragraph.ts';
import { plugin } from './plugins.ts';

export type Around = ListKind | 'quote' | 'table';

export interface Snapshot {
  /** Names of the marks (`strong`, `link`…) in the selection or, if it is empty, those that typed text will have. */
  readonly marks: ReadonlySet<string>;
  /** Type of the text block at the cursor: `paragraph`, `heading2`, `code_block`… */
  readonly block: string;
  readonly around: ReadonlySet<Around>;
  readonly link: { readonly href: string; readonly from: number; readonly to: number } | undefined;
  /** The selected picture, or the one whose caption contains the cursor. */
  readonly picture: { readonly pos: number; readonly node: Node } | undefined;
  readonly code: { readonly pos: number; readonly language: string } | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly range: boolean;
}

export const EMPTY_SNAPSHOT: Snapshot = {
  marks: new Set(),
  block: 'paragraph',
  around: new Set(),
  link: undefined,
  picture: undefined,
  code: undefined,
  canUndo: false,
  canRedo: false,
  range: false,
};

export const editorStatePlugin = (onChange: (view: EditorView, textChanged: boolean) => void) =>
  plugin({
    view: (view) => {
      queueMicrotask(() => onChange(view, false));
      return {
        update: (now, before) => onChange(now, !withoutGapParagraph(now.state).eq(withoutGapParagraph(before))),
      };
    },
  });

export const hasFloatingTools = ({ link, picture, code, around }: Snapshot): boolean =>
  Boolean(link || picture || code || around.has('table'));

/** Returns true if the toolbar would look the same. Most keystrokes do not change it and need no render. */
export function sameToolbar(one: Snapshot, other: Snapshot): boolean {
  return (
    (['block', 'canUndo', 'canRedo', 'range'] as const).every((name) => one[name] === other[name]) &&
    sameSet(one.marks, other.marks) &&
    sameSet(one.around, other.around)
  );
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((each) => other.has(each));

export function snapshotOf(state: EditorState): Snapshot {
  const { selection, storedMarks, doc } = state;
  const { $from, empty, from, to } = selection;
  const parent = $from.parent;
  const marks = new Set<string>();
  if (empty) for (const mark of storedMarks ?? $from.marks()) marks.add(mark.type.name);
  else {
    for (const type of Object.values(state.schema.marks)) if (doc.rangeHasMark(from, to, type)) marks.add(type.name);
  }
  const code = parent.type.name === 'code_block' && { pos: $from.before(), language: String(parent.attrs.language) };
  return {
    marks,
    block: parent.type.name === 'heading' ? `heading${parent.attrs.level}` : parent.type.name,
    around: aroundOf(state),
    link: linkAt(state),
    picture: pictureAt(state),
    code: code || undefined,
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
    range: !empty && selection instanceof TextSelection,
  };
}

function aroundOf({ selection: { $from } }: EditorState): Snapshot['around'] {
  const around = new Set<Around>();
  if (depthOf($from, 'blockquote') > 0) around.add('quote');
  if (depthOf($from, 'table') > 0) around.add('table');
  const item = depthOf($from, 'list_item');
  if (item > 0 && $from.node(item).attrs.checked !== null) around.add('task');
  else if (item > 0) around.add($from.node(item - 1).type.name === 'ordered_list' ? 'ordered' : 'bullet');
  return around;
}

function linkAt({ selection, schema, doc }: EditorState): Snapshot['link'] {
  const type = schema.marks.link;
  const { $from, from, to, empty } = selection;
  if (!type || !$from.parent.isTextblock) return undefined;
  let found: Mark | undefined = type.isInSet($from.marks());
  if (!found && !empty) {
    doc.nodesBetween(from, to, (node) => {
      found ??= type.isInSet(node.marks);
    });
  }
  if (!found) return undefined;
  const mark = found;
  const start = $from.start();
  let range: { from: number; to: number } | undefined;
  $from.parent.forEach((node, offset) => {
    const begin = start + offset;
    const end = begin + node.nodeSize;
    if (!mark.isInSet(node.marks)) return;
    if (range && range.to === begin) range.to = end;
    else if (!range || range.to < from) range = { from: begin, to: end };
  });
  return range && { href: String(mark.attrs.href), ...range };
}

function pictureAt({ selection }: EditorState): Snapshot['picture'] {
  if (selection instanceof NodeSelection && /^(image|figure)$/.test(selection.node.type.name)) {
    return { pos: selection.from, node: selection.node };
  }
  const { $from } = selection;
  return $from.parent.type.name === 'figure' ? { pos: $from.before(), node: $from.parent } : undefined;
}
