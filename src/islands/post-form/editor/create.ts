/** The editor itself: Milkdown over our document, HTML in and HTML out. */

import {
  defaultValueCtx,
  Editor,
  editorStateOptionsCtx,
  editorViewCtx,
  editorViewOptionsCtx,
  rootCtx,
} from '@milkdown/kit/core';
import type { Ctx } from '@milkdown/kit/ctx';
import { clipboard } from '@milkdown/kit/plugin/clipboard';
import { history } from '@milkdown/kit/plugin/history';
import { trailing } from '@milkdown/kit/plugin/trailing';
import { documentPlugins } from './schema.ts';
import { readStored, writeStored } from './stored.ts';

export interface EditorOptions {
  readonly root: HTMLElement;
  /** Stored HTML. */
  readonly html: string;
}

/** An editor that is yet to be created: `.create()` shows it in `root`. */
export function makeEditor({ root, html }: EditorOptions): Editor {
  return Editor.make()
    .config((ctx) => {
      ctx.set(rootCtx, root);
      ctx.set(defaultValueCtx, '');
      ctx.update(editorStateOptionsCtx, () => (options) => {
        const { schema } = options;
        return schema ? { ...options, doc: readStored(schema, html) } : options;
      });
      ctx.update(editorViewOptionsCtx, (options) => ({
        ...options,
        attributes: { 'aria-label': 'Content', role: 'textbox', 'aria-multiline': 'true' },
      }));
    })
    .use(documentPlugins)
    .use(history)
    .use(clipboard)
    .use(trailing);
}

/** The document as stored HTML. */
export const contentOf = (ctx: Ctx): string => writeStored(ctx.get(editorViewCtx).state.doc);
