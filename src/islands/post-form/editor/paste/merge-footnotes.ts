/** Merges pasted footnotes with the text's own, so that all notes are below the text and have unique numbers. */

import { Fragment, type Node } from '@milkdown/kit/prose/model';
import type { EditorState, Transaction } from '@milkdown/kit/prose/state';
import { isClipboardChange } from '../keys/undo-boundary.ts';

export function mergeFootnotes(
  transactions: readonly Transaction[],
  before: EditorState,
  now: EditorState,
): Transaction | null {
  const paste = transactions.find((tr) => tr.docChanged && isClipboardChange(tr));
  const more = paste && sectionsOf(now.doc).length > sectionsOf(before.doc).length;
  return more ? together(now, rangeOf(paste)) : null;
}

interface Placed {
  readonly node: Node;
  readonly pos: number;
}

function sectionsOf(doc: Node): Placed[] {
  const sections: Placed[] = [];
  doc.forEach((node, pos) => {
    if (node.type.name === 'footnotes') sections.push({ node, pos });
  });
  return sections;
}

function rangeOf({ mapping }: Transaction): readonly [from: number, to: number] {
  const places = mapping.maps.flatMap((map, index) => {
    const later = mapping.slice(index + 1);
    const ends: number[] = [];
    map.forEach((_from, _to, start, end) => {
      ends.push(later.map(start, -1), later.map(end));
    });
    return ends;
  });
  return [Math.min(...places), Math.max(...places)];
}

function together({ doc, tr, schema }: EditorState, [from, to]: readonly [number, number]): Transaction | null {
  const sections = sectionsOf(doc);
  const came = sections.filter(({ pos }) => pos >= from && pos < to);
  const there = sections.filter((section) => !came.includes(section)).at(-1);
  const [only] = came;
  const isBelow = only && doc.textBetween(only.pos + only.node.nodeSize, doc.content.size) === '';
  if (!only || (!there && came.length === 1 && isBelow)) return null;

  const known = there ? notesOf(there.node).length : 0;
  const names = new Map<string, string>();
  const notes = came.flatMap(({ node }) => notesOf(node));
  for (const [index, { attrs }] of notes.entries()) names.set(`${attrs.noteId}`, `fn-${known + index + 1}`);
  const renamed = notes.map((note) => renameNote(note, names));

  const changes: (Placed & { readonly by: Node | null })[] = came.map((section) => ({ ...section, by: null }));
  doc.nodesBetween(from, to, (node, pos, parent) => {
    if (parent === doc && node.type.name === 'footnotes') return false;
    const by = renameMark(node, names);
    if (by !== node) changes.push({ node, pos, by });
    return true;
  });
  for (const { node, pos, by } of changes.sort((one, other) => other.pos - one.pos))
    if (by) tr.replaceWith(pos, pos + node.nodeSize, by);
    else tr.delete(pos, pos + node.nodeSize);

  if (there && there.node.lastChild?.type === schema.nodes.ordered_list)
    return tr.insert(tr.mapping.map(there.pos) + there.node.nodeSize - 2, renamed);
  const list = schema.nodes.ordered_list?.create(null, renamed);
  const section = list && schema.nodes.footnotes?.create(null, list);
  return section ? tr.insert(tr.doc.content.size, section) : null;
}

const notesOf = (section: Node): Node[] => section.children.flatMap((list) => list.children);

function renameNote(note: Node, names: ReadonlyMap<string, string>): Node {
  const inside = (node: Node): Node =>
    node.isText ? renameMark(node, names) : node.copy(Fragment.from(node.children.map(inside)));
  const name = names.get(`${note.attrs.noteId}`);
  return note.type.create({ ...note.attrs, noteId: name }, Fragment.from(note.children.map(inside)));
}

function renameMark(node: Node, names: ReadonlyMap<string, string>): Node {
  const link = node.isText ? node.marks.find(({ attrs }) => attrs.footnote) : undefined;
  if (!link) return node;
  const { href, id, footnote } = link.attrs;
  const [old, name] = [...names].find(([each]) => leadsTo(`${href}`, each)) ?? [];
  if (!old || !name) return node;
  const [from, to] = [old.replace('fn-', 'fnref-'), name.replace('fn-', 'fnref-')];
  const attrs =
    footnote === 'ref'
      ? { href: `#${name}`, id: id && `${id}`.replace(from, to) }
      : { href: `${href}`.replace(from, to) };
  const marks = link.type.create({ ...link.attrs, ...attrs }).addToSet(link.removeFromSet(node.marks));
  const number = name.replace('fn-', '');
  return node.type.schema.text(footnote === 'ref' && /^\d+$/.test(node.text ?? '') ? number : (node.text ?? ''), marks);
}

/** Returns true for a link to the note or back to one of its references (`fnref-1-2`). */
function leadsTo(href: string, note: string): boolean {
  const back = `#${note.replace('fn-', 'fnref-')}`;
  return (
    href === `#${note}` || href === back || (href.startsWith(`${back}-`) && /^\d+$/.test(href.slice(back.length + 1)))
  );
}
