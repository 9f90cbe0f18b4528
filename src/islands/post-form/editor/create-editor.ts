/** Creates the editor: Milkdown with the schema of stored posts, initialised from HTML. */

import { defaultValueCtx, Editor, editorStateOptionsCtx, editorViewOptionsCtx, rootCtx } from '@milkdown/kit/core';
import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import { history } from '@milkdown/kit/plugin/history';
import { trailing } from '@milkdown/kit/plugin/trailing';
import type { Node } from '@milkdown/kit/prose/model';
import type { EditorProps, EditorView } from '@milkdown/kit/prose/view';
import { parseContent } from './html/parse.ts';
import { blockBoundaryKeys } from './keys/block-boundary-keys.ts';
import { codeKeys } from './keys/code-keys.ts';
import { gapParagraph } from './keys/gap-paragraph.ts';
import { listKeys } from './keys/list-keys.ts';
import { replaceSelection } from './keys/replace-selection.ts';
import { cursorBeforeShortcuts, inlineCodeContinues } from './keys/text-keys.ts';
import { undoBoundary } from './keys/undo-boundary.ts';
import { clipboard } from './paste/clipboard.ts';
import { plugin } from './plugins.ts';
import { documentPlugins } from './schema/document-schema.ts';

export interface EditorOptions {
  readonly root: HTMLElement;
  readonly html: string;
  /** Plugins from the component that creates the editor. Earlier plugins take precedence. */
  readonly plugins?: readonly (MilkdownPlugin | MilkdownPlugin[])[];
  readonly attributes?: EditorProps['attributes'];
}

/** Minimum distances in CSS pixels from the cursor to the edges of the visible text. */
const CLEAR = { top: 60, bottom: 72, left: 0, right: 0 };

/** Returns true if the cursor is in view. ProseMirror then skips measuring all ancestors after each keystroke. */
function isInSight(view: EditorView): boolean {
  const { $head, empty } = view.state.selection;
  const page = view.dom.closest('[data-milkdown-root]');
  if (!page || !empty || $head.parent.type.spec.code || $head.node(1)?.type.name === 'table') return false;
  const cursor = view.coordsAtPos($head.pos, 1);
  const { top, bottom, left, right } = page.getBoundingClientRect();
  const height = window.visualViewport?.height ?? window.innerHeight;
  // Allows a pixel of tolerance, because scroll positions are integers.
  return (
    cursor.top >= Math.max(top, 0) + CLEAR.top - 1 &&
    cursor.bottom <= Math.min(bottom, height) - CLEAR.bottom + 1 &&
    cursor.left >= left &&
    cursor.right <= right
  );
}

/** Moves the editor into `root` once it is ready, because Milkdown removes and reinserts its element while starting. */
const mountedIn = (root: HTMLElement) =>
  plugin({
    view: (view) => {
      root.append(view.dom);
      return {};
    },
  });

/** Adds the trailing paragraph in advance; otherwise the `trailing` plugin would add it at the first key press. */
function withLastLine(doc: Node): Node {
  const line = doc.type.schema.nodes.paragraph?.create();
  const hasLine = /^(paragraph|heading)$/.test(doc.lastChild?.type.name ?? '');
  return hasLine || !line ? doc : doc.copy(doc.content.addToEnd(line));
}

/** Returns the editor; `.create()` shows it in `root`. */
export function createEditor({ root, html, plugins = [], attributes }: EditorOptions): Editor {
  return Editor.make()
    .config((ctx) => {
      ctx.set(rootCtx, document.createElement('div'));
      ctx.set(defaultValueCtx, { type: 'json', value: { type: 'doc', content: [{ type: 'paragraph' }] } });
      ctx.update(editorStateOptionsCtx, () => (options) => {
        const { schema } = options;
        return schema ? { ...options, doc: withLastLine(parseContent(schema, html)) } : options;
      });
      ctx.update(editorViewOptionsCtx, (options) => ({
        ...options,
        // Keeps the cursor's line clear of the toolbar, which is at the top or above a phone's keyboard.
        scrollThreshold: CLEAR,
        scrollMargin: CLEAR,
        handleScrollToSelection: isInSight,
        ...(attributes && { attributes }),
      }));
    })
    .use(plugins.flat())
    .use([
      codeKeys,
      blockBoundaryKeys,
      replaceSelection,
      gapParagraph,
      listKeys,
      inlineCodeContinues,
      cursorBeforeShortcuts,
    ])
    .use(documentPlugins)
    .use(history)
    .use(clipboard)
    .use(trailing)
    .use(undoBoundary)
    .use(mountedIn(root));
}
