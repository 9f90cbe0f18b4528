/** The editor itself: Milkdown over our document, HTML in and HTML out. */

import {
  defaultValueCtx,
  Editor,
  editorStateOptionsCtx,
  editorViewCtx,
  editorViewOptionsCtx,
  rootCtx,
} from '@milkdown/kit/core';
import type { Ctx, MilkdownPlugin } from '@milkdown/kit/ctx';
import { history } from '@milkdown/kit/plugin/history';
import { trailing } from '@milkdown/kit/plugin/trailing';
import type { Node } from '@milkdown/kit/prose/model';
import { Plugin } from '@milkdown/kit/prose/state';
import type { EditorProps, EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { clipboard } from './clipboard.ts';
import { codeKeys } from './code-keys.ts';
import { edges } from './edges.ts';
import { listKeys } from './list-keys.ts';
import { readyFor } from './long-text.ts';
import { openedLine } from './opened-line.ts';
import { ownStep } from './own-step.ts';
import { paintedFirst } from './painted-first.ts';
import { withoutLocal } from './pictures.ts';
import { codeGoesOn } from './plugins.ts';
import { documentPlugins } from './schema.ts';
import { readStored, writeStored } from './stored.ts';
import { typedOver } from './typed-over.ts';

export interface EditorOptions {
  readonly root: HTMLElement;
  /** Stored HTML. */
  readonly html: string;
  /** What the editor's own screen adds: keys, pictures, what it watches. First come, first served. */
  readonly plugins?: readonly (MilkdownPlugin | MilkdownPlugin[])[];
  readonly attributes?: EditorProps['attributes'];
}

/** CSS pixels. */
const CLEAR = { top: 60, bottom: 72, left: 0, right: 0 };

/**
 * True where the cursor stands in plain sight, as after most letters: the editor would measure each element around it to
 * find that out. Code and tables scroll by themselves.
 */
function isInSight(view: EditorView): boolean {
  const { $head, empty } = view.state.selection;
  const page = view.dom.closest('[data-milkdown-root]');
  if (!page || !empty || $head.parent.type.spec.code || $head.node(1)?.type.name === 'table') return false;
  const cursor = view.coordsAtPos($head.pos, 1);
  const { top, bottom, left, right } = page.getBoundingClientRect();
  const height = window.visualViewport?.height ?? window.innerHeight;
  // A pixel more or less: what was scrolled to stands at a whole one.
  return (
    cursor.top >= Math.max(top, 0) + CLEAR.top - 1 &&
    cursor.bottom <= Math.min(bottom, height) - CLEAR.bottom + 1 &&
    cursor.left >= left &&
    cursor.right <= right
  );
}

/** Built aside and put into `root` as a whole: Milkdown takes what it has built out of the page and puts it in again. */
const shownIn = (root: HTMLElement) =>
  $prose(
    () =>
      new Plugin({
        view: (view) => {
          root.append(view.dom);
          return {};
        },
      }),
  );

/** As `trailing` would have it at the first press: nothing of the text changes by it. */
function withLastLine(doc: Node): Node {
  const line = doc.type.schema.nodes.paragraph?.create();
  const hasLine = /^(paragraph|heading)$/.test(doc.lastChild?.type.name ?? '');
  return hasLine || !line ? doc : doc.copy(doc.content.addToEnd(line));
}

/** An editor that is yet to be created: `.create()` shows it in `root`. */
export function makeEditor({ root, html, plugins = [], attributes }: EditorOptions): Editor {
  return Editor.make()
    .config(async (ctx) => {
      ctx.set(rootCtx, document.createElement('div'));
      ctx.set(defaultValueCtx, { type: 'json', value: { type: 'doc', content: [{ type: 'paragraph' }] } });
      ctx.update(editorStateOptionsCtx, () => (options) => {
        const { schema } = options;
        return schema ? { ...options, doc: withLastLine(readStored(schema, html)) } : options;
      });
      ctx.update(editorViewOptionsCtx, (options) => ({
        ...options,
        // The line that is written stays clear of the toolbar, at the top or above a phone's keyboard.
        scrollThreshold: CLEAR,
        scrollMargin: CLEAR,
        handleScrollToSelection: isInSight,
        ...(attributes && { attributes }),
      }));
      await readyFor(html);
    })
    .use(plugins.flat())
    .use([codeKeys, edges, typedOver, openedLine, listKeys, codeGoesOn])
    .use(documentPlugins)
    .use(history)
    .use(clipboard)
    .use(trailing)
    .use(ownStep)
    .use(paintedFirst)
    .use(shownIn(root));
}

/** The document as stored HTML, without pictures that are still being uploaded. */
export const contentOf = (ctx: Ctx): string => withoutLocal(writeStored(ctx.get(editorViewCtx).state.doc));
