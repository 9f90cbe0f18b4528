/**
 * Markdown footnotes: `[^1]` after a word creates a reference and its note; `[^1]: ` moves the cursor into the note.
 */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { Node, Schema } from '@milkdown/kit/prose/model';
import { TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import { isCode, type } from '../commands/text-commands.ts';
import { inputRule } from '../plugins.ts';

interface PlacedNote {
  readonly node: Node;
  readonly pos: number;
}

function notesIn(doc: Node): { notes: PlacedNote[]; end: number } | undefined {
  let found: { notes: PlacedNote[]; end: number } | undefined;
  doc.forEach((section, pos) => {
    const list = section.type.name === 'footnotes' ? section.lastChild : undefined;
    if (list?.type.name !== 'ordered_list') return;
    const start = pos + section.nodeSize - 1 - list.nodeSize + 1;
    const notes: PlacedNote[] = [];
    list.forEach((node, offset) => {
      notes.push({ node, pos: start + offset });
    });
    found = { notes, end: start + list.content.size };
  });
  return found;
}

function emptyNote(schema: Schema, id: string, number: number): Node {
  const back = schema.marks.link?.create({ href: `#${id.replace('fn-', 'fnref-')}`, footnote: 'backref' });
  const words = [schema.text(' '), schema.text('↩', back && [back])];
  const attrs = { listType: 'ordered', label: `${number}.`, spread: true, noteId: id };
  return type(schema, 'list_item').create(attrs, type(schema, 'paragraph').create(null, words));
}

function addNote(tr: Transaction, schema: Schema, note: Node): void {
  const there = notesIn(tr.doc);
  if (there) tr.insert(there.end, note);
  else {
    const list = type(schema, 'ordered_list').create(null, note);
    // Adds the paragraph below in the same transaction, because a plugin would add it later and end the undo step.
    tr.insert(tr.doc.content.size, [type(schema, 'footnotes').create(null, list), type(schema, 'paragraph').create()]);
  }
}

function marksOf(doc: Node, id: string): number {
  const ids = new Set<string>();
  doc.descendants(({ marks }) => {
    for (const { attrs } of marks) if (attrs.footnote === 'ref' && attrs.href === `#${id}`) ids.add(`${attrs.id}`);
  });
  return ids.size;
}

/** Turns `[^label]` after a word into a reference to a new note, or to an existing note if the label is its number. */
const markRule = inputRule(/(?<=\S)\[\^([^\]\s^]+)\]$/, (state, [, label = ''], start, end) => {
  const { doc, tr, schema } = state;
  const $start = doc.resolve(start);
  const { link, superscript } = schema.marks;
  if (!link || !superscript || isCode(state, start, end) || $start.node(1)?.type.name === 'footnotes') return null;
  const notes = notesIn(doc)?.notes ?? [];
  const known = /^\d+$/.test(label) ? notes[Number(label) - 1] : undefined;
  const ids = new Set(notes.map(({ node }) => node.attrs.noteId));
  let free = notes.length + 1;
  while (ids.has(`fn-${free}`)) free += 1;
  const id: string = known?.node.attrs.noteId ?? `fn-${free}`;
  const number = known ? Number(label) : notes.length + 1;
  const again = known ? marksOf(doc, id) + 1 : 1;
  const markId = `${id.replace('fn-', 'fnref-')}${again > 1 ? `-${again}` : ''}`;
  const reference = link.create({ href: `#${id}`, id: markId, footnote: 'ref' });
  const before = $start.marks();
  tr.replaceWith(start, end, schema.text(`${number}`, [superscript.create(), reference]));
  if (!known) addNote(tr, schema, emptyNote(schema, id, number));
  else if (again > 1) {
    const back = link.create({ href: `#${markId}`, footnote: 'backref' });
    const words = [schema.text(' '), schema.text('↩', [back]), schema.text(`${again}`, [superscript.create(), back])];
    const inside = tr.mapping.map(known.pos + known.node.nodeSize) - 2;
    tr.insert(inside, words);
  }
  return closeHistory(tr.setStoredMarks(before));
});

/** Deletes a paragraph `[^1]: ` and moves the cursor into note 1 if it is empty, or else into the last empty note. */
const noteRule = inputRule(/^\[\^([^\]\s^]+)\]:\s$/, ({ doc, tr }, [, label = ''], start) => {
  const $start = doc.resolve(start);
  if ($start.depth !== 1 || $start.parent.type.name !== 'paragraph') return null;
  const { notes } = notesIn(doc) ?? { notes: [] };
  const isEmpty = ({ node }: PlacedNote) => /^\s*(?:↩\d*\s*)*$/.test(node.textContent);
  const numberedNote = notes[Number(label) - 1];
  const note = numberedNote && isEmpty(numberedNote) ? numberedNote : notes.findLast(isEmpty);
  // Does nothing if text follows the cursor, because it would be lost with the paragraph.
  if (!note || $start.parentOffset + label.length + 4 < $start.parent.content.size) return null;
  tr.delete($start.before(), $start.after());
  const place = tr.mapping.map(note.pos) + 2;
  return closeHistory(tr.setSelection(TextSelection.create(tr.doc, place)).scrollIntoView());
});

export const footnoteRules = [markRule, noteRule];
