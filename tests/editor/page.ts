import { editorViewCtx } from '@milkdown/kit/core';
import { EditorState, type Command as ProseCommand, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import * as blockCommands from '../../src/islands/post-form/editor/commands/block-commands.ts';
import * as kindCommands from '../../src/islands/post-form/editor/commands/block-types.ts';
import * as textCommands from '../../src/islands/post-form/editor/commands/text-commands.ts';
import { createEditor } from '../../src/islands/post-form/editor/create-editor.ts';
import { canonicalForm } from '../../src/islands/post-form/editor/html/canonical-form.ts';
import { inertBody } from '../../src/islands/post-form/editor/html/inert-document.ts';
import { parseContent } from '../../src/islands/post-form/editor/html/parse.ts';
import { serializeCanonical, serializeContent } from '../../src/islands/post-form/editor/html/serialize.ts';
import { withoutLocal } from '../../src/islands/post-form/editor/pictures/picture-plugin.ts';

export interface RoundTrip {
  readonly out: string;
  /** The document of `out`, written a second time. */
  readonly again: string;
  /** True if the document is the same, apart from its notation and empty paragraphs at its end. */
  readonly same: boolean;
  readonly opaque: string[];
}

export interface Return {
  readonly out: string;
  /** The text saved after a word was typed in a paragraph below it, without that paragraph. */
  readonly touched: string;
  readonly opaque: number;
}

const TYPED = 'typed behind it';

/** Empty paragraphs at the end do not count. */
const said = (html: string) => canonicalForm(inertBody(html)).replace(/(^|\n)(\(p\n\)\n?)+$/, '');

declare global {
  interface Window {
    roundTrip(html: string): Promise<RoundTrip>;
    /** Runs many documents through one editor's schema and plugins; an editor for each of thousands would be slow. */
    returns(htmls: readonly string[]): Promise<Return[]>;
    same(one: string, other: string): boolean;
    /** Pastes HTML or plain text into an empty editor and returns its content. */
    paste(kind: 'html' | 'plain', content: string): Promise<string>;
    /** Runs commands on the text between `|` and `|` of `before` and returns the editor's content. */
    act(before: string, ...commands: Command[]): Promise<string>;
  }
}

const commands = { ...textCommands, ...kindCommands, ...blockCommands };
/** The name of an editor command and its arguments. */
export type Command = readonly [name: keyof typeof commands, ...given: unknown[]];

async function inEditor<T>(html: string, work: (view: EditorView) => T | Promise<T>): Promise<T> {
  const root = document.createElement('div');
  document.body.append(root);
  const editor = await createEditor({ root, html }).create();
  const result = await work(editor.ctx.get(editorViewCtx));
  await editor.destroy();
  root.remove();
  return result;
}

const contentOf = (view: EditorView) => withoutLocal(serializeContent(view.state.doc));
const edit = (html: string) =>
  inEditor(html, ({ state, dom }) => ({
    out: serializeCanonical(state.doc),
    opaque: [...dom.querySelectorAll<HTMLElement>('[data-opaque]')].map(({ dataset }) => dataset.opaque ?? ''),
  }));

/** Selects the text between the bars and removes the bars. */
function select(view: EditorView): void {
  const bars: number[] = [];
  view.state.doc.descendants((node, pos) => {
    for (const { index } of node.text?.matchAll(/\|/g) ?? []) bars.push(pos + index);
  });
  const { tr } = view.state;
  const [from = 1, to = from] = bars;
  for (const bar of bars.toReversed()) tr.delete(bar, bar + 1);
  const end = bars.length > 1 ? to - 1 : from;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, from, end)));
}

Object.assign(window, {
  paste: (kind: 'html' | 'plain', content: string) =>
    inEditor('', async (view) => {
      const data = new DataTransfer();
      const before = view.state.doc;
      data.setData(`text/${kind}`, content);
      view.dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      // The editor loads its Markdown parser when the first text needs it.
      while (view.state.doc.eq(before)) await new Promise(requestAnimationFrame);
      return contentOf(view);
    }),
  act: (before: string, ...wanted: Command[]) =>
    inEditor(before, (view) => {
      select(view);
      for (const [name, ...given] of wanted) {
        const command = commands[name] as unknown as (...given: unknown[]) => ProseCommand;
        const run = given.length > 0 ? command(...given) : (command as unknown as ProseCommand);
        run(view.state, view.dispatch, view);
      }
      return contentOf(view);
    }),
  same: (one: string, other: string) => said(one) === said(other),
  returns: (htmls: readonly string[]) =>
    inEditor('', ({ state: { schema, plugins } }) =>
      htmls.map((html): Return => {
        const state = EditorState.create({ doc: parseContent(schema, html), plugins });
        let opaque = 0;
        state.doc.descendants((node) => {
          if (node.type.name === 'opaque') opaque += 1;
        });
        const word = schema.node('paragraph', null, schema.text(TYPED));
        const { state: after } = state.applyTransaction(state.tr.insert(state.doc.content.size, word));
        const touched = serializeContent(after.doc).replace(`<p>${TYPED}</p>`, '');
        return { out: serializeCanonical(state.doc), touched, opaque };
      }),
    ),
  async roundTrip(html: string): Promise<RoundTrip> {
    const { out, opaque } = await edit(html);
    const { out: again } = await edit(out);
    return { out, again, opaque, same: said(html) === said(out) };
  },
});
