/** The text in its editor: made once, told of after every change, its words counted in a pause. */

import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import type { EditorView } from '@milkdown/kit/prose/view';
import { useEditor } from '@milkdown/react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { whenIdle } from '../when-idle.ts';
import { makeEditor } from './create.ts';
import { highlights } from './highlights.ts';
import { longText } from './long-text.ts';
import { ownKeys, placeholder, ticks } from './plugins.ts';
import { type SlashQuery, slashKeys, slashQuery } from './slash.ts';
import { floats, looksSame, NOTHING, type Snapshot, snapshotOf, watch } from './watch.ts';
import { wayOut } from './way-out.ts';
import { wordsIn } from './words.ts';

/** What plugins, made once, call: always the present one. */
export interface Live {
  readonly onChange: () => void;
  /** A key that the slash menu may take; it says whether it did. */
  readonly press: (key: string) => boolean;
  /** A link is wanted. */
  readonly link: () => void;
  /** Something is shown that follows each letter. */
  readonly follow: boolean;
}

interface Shown {
  readonly snapshot: Snapshot;
  readonly slash: SlashQuery | undefined;
  readonly focused: boolean;
}

export interface TextView extends Shown {
  /** Undefined until the editor is there. */
  readonly view: EditorView | undefined;
  /** Undefined until they are counted. */
  readonly words: number | undefined;
  readonly setFocused: (focused: boolean) => void;
}

interface TextViewOptions {
  /** Stored HTML, as the editor begins. */
  readonly origin: RefObject<string>;
  readonly live: RefObject<Live>;
  readonly pictures: MilkdownPlugin;
  readonly invalid: boolean;
  readonly frozen: boolean;
}

export function useTextView({ origin, live, pictures, invalid, frozen }: TextViewOptions): TextView {
  const [shown, setShown] = useState<Shown>({ snapshot: NOTHING, slash: undefined, focused: false });
  const [view, setView] = useState<EditorView>();
  const [words, setWords] = useState<number>();
  const counting = useRef(0);
  const latest = useRef<Shown>(undefined);
  const show = (next: Shown) => {
    const before = latest.current;
    latest.current = next;
    const isBeside = ({ slash, snapshot }: Shown) => !slash && !floats(snapshot);
    if (live.current.follow || !before || !isBeside(before) || !isBeside(next) || before.focused !== next.focused)
      setShown(next);
    // The toolbar alone: the letter is painted first.
    else if (!looksSame(before.snapshot, next.snapshot))
      whenIdle(() => setShown(({ focused }) => ({ ...(latest.current ?? next), focused })));
  };
  /** In a pause: of a long text it takes as long as to show it. */
  const count = useCallback((now: EditorView) => {
    clearTimeout(counting.current);
    counting.current = window.setTimeout(() => !now.isDestroyed && setWords(wordsIn(now.state.doc)), 300);
  }, []);
  useEditor(
    (root) =>
      makeEditor({
        root,
        html: origin.current,
        attributes: {
          id: 'content-editor',
          class: 'prose editor-page',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': 'content-label',
          'aria-describedby': 'content-error',
        },
        plugins: [
          longText,
          wayOut,
          slashKeys((key) => live.current.press(key)),
          ownKeys(() => live.current.link()),
          pictures,
          placeholder,
          highlights,
          ticks,
          watch((now, textChanged) => {
            setView(now);
            show({ snapshot: snapshotOf(now.state), slash: slashQuery(now.state), focused: now.hasFocus() });
            if (!textChanged) return;
            live.current.onChange();
            count(now);
          }),
        ],
      }),
    [],
  );
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
    ...shown,
    view,
    words,
    setFocused: (focused) => setShown((before) => ({ ...before, focused })),
  };
}
