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

export interface Return {
  readonly out: string;
  /** The HTML saved after a paragraph is added at the end, with that paragraph cut out again. */
  readonly touched: string;
  /** Sources of the blocks that the editor cannot edit. */
  readonly opaque: string[];
}

const TYPED = 'typed behind it';

/** Returns the text's canonical form without the empty paragraphs at its end. */
const said = (html: string) => canonicalForm(inertBody(html)).replace(/(^|\n)(\(p\n\)\n?)+$/, '');

declare global {
  interface Window {
    /** Loads and saves all documents with one editor's schema and plugins, because an editor for each would be slow. */
    returns(htmls: readonly string[]): Promise<Return[]>;
    same(one: string, other: string): boolean;
    /** Runs commands on the text that two `|` in `before` select, and returns the editor's content. */
    act(before: string, ...commands: Command[]): Promise<string>;
  }
}

const commands = { ...textCommands, ...kindCommands, ...blockCommands };
export type Command = readonly [name: keyof typeof commands, ...given: unknown[]];

async function inEditor<T>(html: string, work: (view: EditorView) => T): Promise<T> {
  const root = document.createElement('div');
  document.body.append(root);
  const editor = await createEditor({ root, html }).create();
  const result = work(editor.ctx.get(editorViewCtx));
  await editor.destroy();
  root.remove();
  return result;
}

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
  act: (before: string, ...wanted: Command[]) =>
    inEditor(before, (view) => {
      select(view);
      for (const [name, ...given] of wanted) {
        const command = commands[name] as unknown as (...given: unknown[]) => ProseCommand;
        const run = given.length > 0 ? command(...given) : (command as unknown as ProseCommand);
        run(view.state, view.dispatch, view);
      }
      return withoutLocal(serializeContent(view.state.doc));
    }),
  same: (one: string, other: string) => said(one) === said(other),
  returns: (htmls: readonly string[]) =>
    inEditor('', ({ state: { schema, plugins } }) =>
      htmls.map((html): Return => {
        const state = EditorState.create({ doc: parseContent(schema, html), plugins });
        const opaque: string[] = [];
        state.doc.descendants(({ type, attrs }) => {
          if (type.name === 'opaque') opaque.push(attrs.source);
        });
        const word = schema.node('paragraph', null, schema.text(TYPED));
        const { state: after } = state.applyTransaction(state.tr.insert(state.doc.content.size, word));
        const touched = serializeContent(after.doc).replace(`<p>${TYPED}</p>`, '');
        return { out: serializeCanonical(state.doc), touched, opaque };
      }),
    ),
});
