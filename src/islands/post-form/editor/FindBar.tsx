/** Finding and replacing words of the text: a bar below the toolbar. Every place is marked, the present one selected. */

import { type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { editorText } from '#blog/editor-text.ts';
import { Icon, type IconName } from '#components/Icon.tsx';
import { findAll } from './find.ts';
import { highlight, type Place } from './highlights.ts';

export interface FindBarProps {
  readonly view: EditorView;
  /** Of the moment: a new one looks again. */
  readonly state: EditorState;
  /** What was typed while this bar was on its way. */
  readonly early: string;
  /** Rises with each press on the key that asks for it. */
  readonly asked: number;
  readonly announce: (words: string) => void;
  readonly onClose: () => void;
}

export function FindBar({ view, state, early, asked, announce, onClose }: FindBarProps) {
  // What is selected is probably what is looked for.
  const [wanted, setWanted] = useState(() => early || selectedWords(state));
  const [instead, setInstead] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const [current, setCurrent] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { doc } = state;
  const places = useMemo(() => findAll(doc, wanted, matchCase), [doc, wanted, matchCase]);
  const at = Math.min(current, places.length - 1);

  useEffect(() => highlight(view, places, at), [view, places, at]);
  useEffect(() => () => highlight(view, []), [view]);

  const go = (found: readonly Place[], index: number) => {
    setCurrent(index);
    const place = found[index];
    if (!place) return;
    const { tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place.from, place.to)).scrollIntoView());
  };
  const look = (words: string, cased: boolean) => {
    setWanted(words);
    setMatchCase(cased);
    const found = findAll(view.state.doc, words, cased);
    go(found, nextFrom(found, view.state.selection.from));
  };
  const typing = useRef(early !== '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again is the reason.
  useEffect(() => {
    // Who is typing goes on where he is; else what stands here is written over.
    if (typing.current) {
      input.current?.focus();
      look(wanted, matchCase);
    } else input.current?.select();
    typing.current = false;
  }, [asked]);
  const step = (by: number) => {
    // Found by what was selected: the selection is the present one.
    const from = at < 0 ? nextFrom(places, state.selection.from) - (by > 0 ? 1 : 0) : at;
    if (places.length > 0) go(places, (from + by + places.length) % places.length);
  };
  const replaceOne = () => {
    const place = places[at];
    if (!place) return step(1);
    view.dispatch(view.state.tr.insertText(instead, place.from, place.to));
    const found = findAll(view.state.doc, wanted, matchCase);
    announce(editorText.replaced(1));
    go(found, nextFrom(found, place.from + instead.length));
  };
  const replaceAll = () => {
    const { tr } = view.state;
    for (const { from, to } of places.toReversed()) tr.insertText(instead, from, to);
    if (places.length > 0) view.dispatch(tr);
    announce(editorText.replaced(places.length));
  };
  const press = (event: KeyboardEvent) => {
    const inField = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Enter' && inField) {
      event.preventDefault();
      if (event.target === input.current) step(event.shiftKey ? -1 : 1);
      else replaceOne();
    }
  };
  const button = (name: string, icon: IconName, act: () => void) => (
    <button type="button" aria-label={name} data-tip={name} className="editor-tool" onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <search
      aria-label={editorText.findLabel}
      className="editor-find"
      onKeyDown={press}
      onChange={(event) => event.stopPropagation()}
    >
      <div className="editor-find-row">
        <label htmlFor={id} className="sr-only">
          {editorText.findLabel}
        </label>
        <input
          ref={input}
          id={id}
          value={wanted}
          placeholder={editorText.findLabel}
          autoComplete="off"
          dir="auto"
          enterKeyHint="search"
          className="editor-input"
          onChange={(event) => look(event.currentTarget.value, matchCase)}
        />
        <span role="status" className="editor-found">
          {wanted && editorText.found(at + 1 || 1, places.length)}
        </span>
        {button(editorText.findPrevious, 'arrow-up', () => step(-1))}
        {button(editorText.findNext, 'arrow-down', () => step(1))}
        <label className="editor-check">
          <input type="checkbox" checked={matchCase} onChange={(event) => look(wanted, event.currentTarget.checked)} />
          {editorText.matchCase}
        </label>
        {button(editorText.findClose, 'close', onClose)}
      </div>
      <div className="editor-find-row">
        <label htmlFor={`${id}-instead`} className="sr-only">
          {editorText.replaceLabel}
        </label>
        <input
          id={`${id}-instead`}
          value={instead}
          placeholder={editorText.replaceLabel}
          autoComplete="off"
          dir="auto"
          className="editor-input"
          onChange={(event) => setInstead(event.currentTarget.value)}
        />
        <button type="button" className="editor-tool" onClick={replaceOne}>
          {editorText.replace}
        </button>
        <button type="button" className="editor-tool" onClick={replaceAll}>
          {editorText.replaceAll}
        </button>
      </div>
    </search>
  );
}

/** The first place at or behind `pos`, else the first of all; -1 where there is none. */
function nextFrom(places: readonly Place[], pos: number): number {
  const next = places.findIndex(({ from }) => from >= pos);
  return next < 0 ? Math.min(0, places.length - 1) : next;
}

function selectedWords({ doc, selection }: EditorState): string {
  const words = selection instanceof TextSelection ? doc.textBetween(selection.from, selection.to, '\n') : '';
  return words.includes('\n') || words.length > 100 ? '' : words;
}
