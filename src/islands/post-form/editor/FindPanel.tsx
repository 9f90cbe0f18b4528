/**
 * The search: its field is there as soon as it is asked for and takes what is typed, so that the text does not; what
 * looks and replaces (`FindBar.tsx`) comes to stand beside it.
 */

import { type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react';
import { editorText } from '#blog/editor-text.ts';
import { TryAgain } from '../TryAgain.tsx';
import type { FindBarProps, FindHandle } from './FindBar.tsx';
import type { LatePart } from './use-part.ts';

interface FindPanelProps {
  readonly late: LatePart<ComponentType<FindBarProps>>;
  readonly view: EditorView;
  /** Rises with each press on the key that asks for it. */
  readonly asked: number;
  readonly announce: (words: string) => void;
  readonly onClose: () => void;
}

export function FindPanel({ late: { Part: Bar, again }, view, asked, announce, onClose }: FindPanelProps) {
  // What is selected is probably what is looked for.
  const [wanted, setWanted] = useState(() => ({ words: selectedWords(view.state), typed: false }));
  const input = useRef<HTMLInputElement>(null);
  const bar = useRef<FindHandle>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again, what stands here is written over.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [asked]);
  return (
    <search
      aria-label={editorText.findLabel}
      aria-busy={!Bar}
      className="editor-find"
      onChange={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        const { target, key, shiftKey } = event;
        if (key === 'Escape') {
          event.stopPropagation();
          onClose();
        } else if (key === 'Enter' && target instanceof HTMLInputElement && target.type !== 'checkbox') {
          event.preventDefault();
          bar.current?.enter(target === input.current, shiftKey);
        }
      }}
    >
      <input
        ref={input}
        aria-label={editorText.findLabel}
        value={wanted.words}
        placeholder={editorText.findLabel}
        autoComplete="off"
        dir="auto"
        enterKeyHint="search"
        className="editor-input"
        onChange={(event) => setWanted({ words: event.currentTarget.value, typed: true })}
      />
      {Bar && <Bar ref={bar} view={view} state={view.state} wanted={wanted} announce={announce} onClose={onClose} />}
      {again && <TryAgain onAgain={again} />}
    </search>
  );
}

function selectedWords({ doc, selection }: EditorState): string {
  const words = selection instanceof TextSelection ? doc.textBetween(selection.from, selection.to, '\n') : '';
  return words.includes('\n') || words.length > 100 ? '' : words;
}
