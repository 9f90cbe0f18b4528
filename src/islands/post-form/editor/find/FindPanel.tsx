/** The search panel. It takes the focus at once, so that no keystroke goes into the text while `FindBar.tsx` loads. */

import { type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { type LazyComponent, TryAgain } from '../../../lazy/lazy-part.tsx';
import { isComposing } from '../../is-composing.ts';
import type { FindBarProps, FindHandle } from './FindBar.tsx';

interface FindPanelProps {
  readonly late: LazyComponent<ComponentType<FindBarProps>>;
  readonly view: EditorView;
  readonly asked: number;
  readonly announce: (words: string) => void;
  readonly onClose: () => void;
}

export function FindPanel({ late: { Component: Bar, retry }, view, asked, announce, onClose }: FindPanelProps) {
  const [wanted, setWanted] = useState(() => ({ words: selectedWords(view.state), typed: false }));
  const input = useRef<HTMLInputElement>(null);
  const bar = useRef<FindHandle>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated shortcut selects the words again.
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
        if (isComposing(event)) return;
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
      {retry && (
        <div className="p-2">
          <TryAgain onAgain={retry} />
        </div>
      )}
    </search>
  );
}

function selectedWords({ doc, selection }: EditorState): string {
  const words = selection instanceof TextSelection ? doc.textBetween(selection.from, selection.to, '\n') : '';
  return words.includes('\n') || words.length > 100 ? '' : words;
}
