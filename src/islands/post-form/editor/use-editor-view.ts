import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import type { Node } from '@milkdown/kit/prose/model';
import { Decoration, DecorationSet, type EditorView } from '@milkdown/kit/prose/view';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { countWords } from '#blog/content/words.ts';
import { editorText } from '#blog/messages/editor.ts';
import { whenIdle } from '../when-idle.ts';
import { createEditor } from './create-editor.ts';
import {
  EMPTY_SNAPSHOT,
  editorStatePlugin,
  hasFloatingTools,
  type Snapshot,
  sameToolbar,
  snapshotOf,
} from './editor-state.ts';
import { highlights } from './find/highlights.ts';
import { taskCheckboxes } from './keys/list-keys.ts';
import { tabExit, textKeys } from './keys/text-keys.ts';
import { plugin } from './plugins.ts';
import { type SlashQuery, slashKeys, slashQuery } from './slash-menu/SlashMenu.tsx';
import { typography } from './typography/typography.ts';

/** The latest callbacks and values. Plugins read them through a ref, because plugins are created only once. */
export interface EditorCallbacks {
  readonly onChange: () => void;
  readonly press: (key: string) => boolean;
  readonly link: () => void;
  /** Language of the post; empty if it is detected from the text. */
  readonly language: string;
  /** True while a panel shows the text and must be rendered after each keystroke. */
  readonly follow: boolean;
}

interface RenderedState {
  readonly snapshot: Snapshot;
  readonly slash: SlashQuery | undefined;
  readonly focused: boolean;
}

interface EditorViewOptions {
  readonly html: string;
  /** Called once with the created editor, before it takes any input. */
  readonly onCreated: (view: EditorView) => void;
  readonly live: RefObject<EditorCallbacks>;
  readonly pictures: MilkdownPlugin;
  readonly invalid: boolean;
  readonly frozen: boolean;
}

export function useEditorView({ html, onCreated, live, pictures, invalid, frozen }: EditorViewOptions) {
  const [rendered, setRendered] = useState<RenderedState>({
    snapshot: EMPTY_SNAPSHOT,
    slash: undefined,
    focused: false,
  });
  const [view, setView] = useState<EditorView>();
  const [words, setWords] = useState<number>();
  const counting = useRef(0);
  const latest = useRef<RenderedState>(undefined);
  const update = (next: RenderedState) => {
    const before = latest.current;
    latest.current = next;
    const isBeside = ({ slash, snapshot }: RenderedState) => !slash && !hasFloatingTools(snapshot);
    if (live.current.follow || !before || !isBeside(before) || !isBeside(next) || before.focused !== next.focused)
      setRendered(next);
    // Only the toolbar has changed, so rendering waits until the browser is idle.
    else if (!sameToolbar(before.snapshot, next.snapshot))
      whenIdle(() => setRendered(({ focused }) => ({ ...(latest.current ?? next), focused })));
  };
  /** Counts words once typing pauses, because counting a long text takes as long as rendering it. */
  const count = useCallback((now: EditorView) => {
    clearTimeout(counting.current);
    counting.current = window.setTimeout(() => !now.isDestroyed && setWords(wordsIn(now.state.doc)), 300);
  }, []);
  const root = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once.
  useEffect(() => {
    if (!root.current) return;
    const editor = createEditor({
      root: root.current,
      html,
      attributes: {
        id: 'content-editor',
        class: 'prose editor-page',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': 'content-label',
        'aria-describedby': 'content-error',
      },
      plugins: [
        tabExit,
        slashKeys((key) => live.current.press(key)),
        typography(() => live.current.language),
        textKeys(() => live.current.link()),
        pictures,
        placeholder,
        highlights,
        taskCheckboxes,
        editorStatePlugin((now, textChanged) => {
          setView(now);
          const isNew = !latest.current;
          update({ snapshot: snapshotOf(now.state), slash: slashQuery(now.state), focused: now.hasFocus() });
          if (isNew) onCreated(now);
          if (!textChanged) return;
          live.current.onChange();
          count(now);
        }),
      ],
    });
    editor.create().catch(console.error);
    return () => void editor.destroy().catch(console.error);
  }, []);
  useEffect(() => {
    if (view) count(view);
  }, [view, count]);
  useEffect(() => () => clearTimeout(counting.current), []);
  useEffect(() => {
    if (invalid) view?.dom.setAttribute('aria-invalid', 'true');
    else view?.dom.removeAttribute('aria-invalid');
  }, [view, invalid]);
  useEffect(() => {
    view?.setProps({ editable: () => !frozen });
  }, [view, frozen]);
  return {
    ...rendered,
    root,
    view,
    words,
    setFocused: (focused: boolean) => setRendered((before) => ({ ...before, focused })),
  };
}

/** Word counts by block. Blocks are immutable, so only an edited block is counted again. */
const counted = new WeakMap<Node, number>();

function wordsIn(doc: Node): number {
  let words = 0;
  doc.forEach((block) => {
    const known = counted.get(block) ?? countWords(block.textBetween(0, block.content.size, '\n', '\n'));
    counted.set(block, known);
    words += known;
  });
  return words;
}

const placeholder = plugin({
  props: {
    decorations: ({ doc }) => {
      const only = doc.childCount === 1 ? doc.firstChild : null;
      if (only?.type.name !== 'paragraph' || only.childCount > 0) return null;
      const words = {
        class: 'editor-empty',
        'data-placeholder': editorText.placeholder,
      };
      return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, words)]);
    },
  },
});
