import { schemaCtx } from '@milkdown/kit/core';
import { Fragment, type Mark, type Node, type ResolvedPos, type Schema, Slice } from '@milkdown/kit/prose/model';
import { Plugin, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { addressesIn, WHOLE_ADDRESS } from '#blog/content/link-addresses.ts';
import { importWithRetry } from '#stores/import-with-retry.ts';
import { inertPage } from '../html/inert-document.ts';
import { contentParser } from '../html/parse-rules.ts';
import { contentSerializer } from '../html/serialize-rules.ts';

/**
 * Handles pasting and dropping, and serializes copied content. Must be registered after `pictures/picture-plugin.ts`,
 * which handles pasted pictures first.
 */
export const clipboard = $prose((ctx) => {
  const schema = ctx.get(schemaCtx);
  let plain = false;
  return new Plugin({
    appendTransaction: (...change) => reader?.mergeFootnotes(...change),
    props: {
      clipboardParser: contentParser(schema),
      clipboardSerializer: contentSerializer(schema),
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
        paste: (view, event) => delayUntilLoaded(view, event, event.clipboardData),
        drop: (view, event) => delayUntilLoaded(view, event, event.dataTransfer),
      },
      handlePaste: (view, { clipboardData }) => {
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

const isOwn = (html: string): boolean => html === '' || /\bdata-pm-slice=/.test(html);

let reader: typeof import('./clean-html.ts') | undefined;

async function expectReader(): Promise<void> {
  reader ??= await importWithRetry(() => import('./clean-html.ts'));
}

/** Delays a paste or drop of foreign HTML until the cleaning code is loaded. Inserts plain text if loading fails. */
function delayUntilLoaded(view: EditorView, event: ClipboardEvent | DragEvent, data: DataTransfer | null): boolean {
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
      console.error('The code that reads pasted HTML could not be loaded:', error);
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

/** Returns true for several lines of code. They are pasted as a code block, because inline code would join them. */
const isLinesOfCode = ({ content }: Slice) =>
  content.childCount === 1 &&
  content.firstChild?.type.spec.code === true &&
  content.firstChild.textContent.includes('\n');

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

function pasteAddress(view: EditorView, text: string): boolean {
  const { selection, schema, tr } = view.state;
  const link = schema.marks.link;
  const href = text.trim();
  const isWords = selection instanceof TextSelection && !selection.empty && selection.$from.sameParent(selection.$to);
  if (!link || !WHOLE_ADDRESS.test(href) || !isWords) return false;
  const { from, to } = selection;
  tr.removeMark(from, to, link).addMark(from, to, link.create({ href }));
  tr.setSelection(TextSelection.create(tr.doc, to)).removeStoredMark(link);
  view.dispatch(tr.setMeta('paste', true));
  return true;
}

/** Markdown patterns that are rare in plain text. */
const MARKDOWN = [
  /^ {0,3}#{1,6}[ \t]+\S/m,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m,
  /^\[[ x]\][ \t]+\S/im,
  /^ {0,3}>[ \t]*\S/m,
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

/** Pastes Markdown as rich text, or as plain text if the parser fails to load. Returns false for other text. */
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

/** Returns plain text as paragraphs, split at empty lines. Other newlines become a `<br>`, and URLs become links. */
function sliceOfText(schema: Schema, text: string, $context: ResolvedPos): Slice {
  const { paragraph, hardbreak } = schema.nodes;
  if (!paragraph || !hardbreak) return Slice.empty;
  const marks = $context.marks();
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .replace(/^\n+|\n+$/g, '')
    // Drops tabs at the start of a line and replaces other tabs with a space, as a browser would render them.
    .replace(/^\t+/gm, '')
    .replaceAll('\t', ' ')
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
  const nodes: Node[] = [];
  const add = (words: string, on: readonly Mark[]) => words !== '' && nodes.push(schema.text(words, on));
  let at = 0;
  for (const { address, start, end } of addressesIn(line)) {
    add(line.slice(at, start), marks);
    add(address, link?.create({ href: address }).addToSet(marks) ?? marks);
    at = end;
  }
  add(line.slice(at), marks);
  return nodes;
}
