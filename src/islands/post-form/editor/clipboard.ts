/** What goes to the clipboard and comes from it: stored HTML out; HTML, Markdown, code and plain text in. */

import { schemaCtx } from '@milkdown/kit/core';
import { Fragment, type Mark, type Node, type ResolvedPos, type Schema, Slice } from '@milkdown/kit/prose/model';
import { Plugin, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { loadPart } from '#stores/load-part.ts';
import { storedSerializer } from './stored-html.ts';
import { inertPage, storedParser } from './stored-rules.ts';

/** The plugin. Pictures on the clipboard are `pictures.ts`'s: put that first. */
export const clipboard = $prose((ctx) => {
  const schema = ctx.get(schemaCtx);
  /** The bare text was asked for, with Shift. */
  let plain = false;
  return new Plugin({
    appendTransaction: (...change) => reader?.notesTogether(...change),
    props: {
      clipboardParser: storedParser(schema),
      clipboardSerializer: storedSerializer(schema),
      clipboardTextSerializer: (slice) =>
        slice.content.textBetween(0, slice.content.size, '\n\n', (leaf) => leaf.type.spec.leafText?.(leaf) ?? ''),
      clipboardTextParser: (text, $context, asked) => {
        plain = asked;
        return sliceOfText(schema, text, $context);
      },
      transformPastedHTML: (html) => {
        plain = false;
        return isOwn(html) ? html : (reader?.cleanPasted(html) ?? html);
      },
      transformPasted: (slice) => (isLinesOfCode(slice) ? new Slice(slice.content, 0, 0) : slice),
      handleDOMEvents: {
        focus: () => {
          expectReader().catch(() => {});
          return false;
        },
        paste: (view, event) => waits(view, event, event.clipboardData),
        drop: (view, event) => waits(view, event, event.dataTransfer),
      },
      handlePaste: (view, { clipboardData }) => {
        // A block of code takes any text as it is.
        if (plain || !clipboardData || view.state.selection.$from.parent.type.spec.code) return false;
        const text = clipboardData.getData('text/plain');
        return (
          pasteCode(view, text, clipboardData.getData('vscode-editor-data')) ||
          (clipboardData.getData('text/html') === '' && (pasteAddress(view, text) || pasteMarkdown(view, text)))
        );
      },
    },
  });
});

/** What our own editor copied is read as it is. */
const isOwn = (html: string): boolean => html === '' || /\bdata-pm-slice=/.test(html);

/** Reads the HTML of other programs: a part of its own, which comes when somebody begins to write. */
let reader: typeof import('./paste.ts') | undefined;

async function expectReader(): Promise<void> {
  reader ??= await loadPart(() => import('./paste.ts'));
}

/** A paste or drop for which the reader has yet to come: it comes again with it, or as its words, where it cannot be had. */
function waits(view: EditorView, event: ClipboardEvent | DragEvent, data: DataTransfer | null): boolean {
  const html = data?.getData('text/html') ?? '';
  if (reader || !data || isOwn(html)) return false;
  event.preventDefault();
  const same = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') same.setData(type, data.getData(type));
  for (const file of data.files) same.items.add(file);
  const isDrop = event instanceof DragEvent;
  const place = { ...(isDrop && { clientX: event.clientX, clientY: event.clientY }), bubbles: true, cancelable: true };
  expectReader()
    .catch((error: unknown) => {
      console.error('What reads pasted HTML could not be loaded:', error);
      same.clearData('text/html');
      if (!same.types.includes('text/plain')) same.setData('text/plain', inertPage(html).textContent ?? '');
    })
    .then(() => {
      if (view.isDestroyed) return;
      if (isDrop) view.dom.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: same }));
      else view.dom.dispatchEvent(new ClipboardEvent('paste', { ...place, clipboardData: same }));
    });
  return true;
}

/** Code of several lines stays code, also behind words in a paragraph, where its lines would run together. */
const isLinesOfCode = ({ content }: Slice) =>
  content.childCount === 1 &&
  content.firstChild?.type.spec.code === true &&
  content.firstChild.textContent.includes('\n');

/** Lines of code from an editor of the Visual Studio family, which tells their language. */
function pasteCode(view: EditorView, text: string, told: string): boolean {
  const language = languageOf(told);
  const type = view.state.schema.nodes.code_block;
  if (!language || !type || !text.trim().includes('\n')) return false;
  const code = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const { tr, schema } = view.state;
  tr.replaceSelectionWith(type.create({ language }, schema.text(code)));
  view.dispatch(tr.scrollIntoView().setMeta('paste', true));
  return true;
}

function languageOf(told: string): string | undefined {
  try {
    const { mode } = JSON.parse(told) as { mode?: unknown };
    return typeof mode === 'string' && !/^(plaintext|markdown)$/.test(mode) && /^[\w+#.-]+$/.test(mode)
      ? mode
      : undefined;
  } catch {
    return undefined;
  }
}

const ADDRESS = /^https?:\/\/[^\s<>"]+$/i;

/** An address pasted over words makes a link of them; what is typed next stands behind them. */
function pasteAddress(view: EditorView, text: string): boolean {
  const { selection, schema, tr } = view.state;
  const link = schema.marks.link;
  const href = text.trim();
  const isWords = selection instanceof TextSelection && !selection.empty && selection.$from.sameParent(selection.$to);
  if (!link || !ADDRESS.test(href) || !isWords) return false;
  const { from, to } = selection;
  tr.removeMark(from, to, link).addMark(from, to, link.create({ href }));
  tr.setSelection(TextSelection.create(tr.doc, to)).removeStoredMark(link);
  view.dispatch(tr.setMeta('paste', true));
  return true;
}

/** Signs of Markdown that a plain text does not have by chance. */
const MARKDOWN = [
  /^ {0,3}#{1,6} +\S/m,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +\S/m,
  /^ {0,3}> *\S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^ {0,3}(?:\* ?){3,}$|^ {0,3}(?:- ?){3,}$|^ {0,3}(?:_ ?){3,}$/m,
  /^ *\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/m,
  /\[[^\]\n]+\]\([^)\n]+\)/,
  /\[\^[^\]\s]+\]/,
  /^ {0,3}\[[^\]\n]+\]: *\S/m,
  /(\*\*|__|~~)(?=\S)[^\n]*?\S\1/,
  /(?<![\w*])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![\w*])/,
  /(?<!`)`[^`\n]+`(?!`)/,
];

/** Markdown is read by a part of its own, which arrives with the first text that needs it; if it does not, the text stays plain. */
function pasteMarkdown(view: EditorView, text: string): boolean {
  if (!MARKDOWN.some((sign) => sign.test(text))) return false;
  Promise.all([import('./markdown.ts'), expectReader()]).then(
    ([{ htmlOfMarkdown }]) => !view.isDestroyed && view.pasteHTML(htmlOfMarkdown(text)),
    (error: unknown) => {
      console.error('Markdown could not be read:', error);
      if (!view.isDestroyed) view.pasteText(text);
    },
  );
  return true;
}

/** Plain text: an empty line begins a paragraph, a line's end is a line's end, addresses are links. */
function sliceOfText(schema: Schema, text: string, $context: ResolvedPos): Slice {
  const { paragraph, hardbreak } = schema.nodes;
  if (!paragraph || !hardbreak) return Slice.empty;
  const marks = $context.marks();
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .replace(/^\n+|\n+$/g, '')
    .split(/\n[ \t]*\n\s*?(?=\S|$)/);
  const paragraphs = blocks.map((block) =>
    paragraph.create(
      null,
      block
        .split('\n')
        .flatMap((line, index) => [...(index > 0 ? [hardbreak.create()] : []), ...lineOf(schema, line, marks)]),
    ),
  );
  return Slice.maxOpen(Fragment.from(paragraphs));
}

function lineOf(schema: Schema, line: string, marks: readonly Mark[]): Node[] {
  const link = schema.marks.link;
  return line
    .split(/(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/i)
    .filter((part) => part !== '')
    .map((part) => schema.text(part, link && ADDRESS.test(part) ? link.create({ href: part }).addToSet(marks) : marks));
}
