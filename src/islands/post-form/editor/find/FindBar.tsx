import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { Icon } from '#components/icons/Icon.tsx';
import type { IconName } from '#components/icons/icon-paths.ts';
import { highlight, type TextRange } from './highlights.ts';

export interface FindHandle {
  /** Called on Enter in the search field (`looking`) or the replacement field. `back` is true with Shift. */
  enter(looking: boolean, back: boolean): void;
}

export interface FindBarProps {
  readonly ref: Ref<FindHandle>;
  readonly view: EditorView;
  /** The editor's current state. The search is repeated when the text changes. */
  readonly state: EditorState;
  /** A typed search jumps to the next match; a search for the selected text leaves the selection unchanged. */
  readonly wanted: { readonly words: string; readonly typed: boolean };
  readonly announce: (words: string) => void;
  readonly onClose: () => void;
}

export function FindBar({ ref, view, state, wanted, announce, onClose }: FindBarProps) {
  const [instead, setInstead] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const [current, setCurrent] = useState(-1);
  const { doc } = state;
  const { words } = wanted;
  const places = useMemo(() => findAll(doc, words, matchCase), [doc, words, matchCase]);
  const at = Math.min(current, places.length - 1);

  useEffect(() => highlight(view, places, at), [view, places, at]);
  useEffect(() => () => highlight(view, []), [view]);

  const go = (found: readonly TextRange[], index: number) => {
    setCurrent(index);
    const place = found[index];
    if (!place) return;
    const { tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place.from, place.to)));
    // Scrolls here, because the editor scrolls to its selection only while it has the focus.
    highlight(view, found, index);
    view.dom.querySelector('.found-now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const look = (cased: boolean) => {
    const found = findAll(view.state.doc, words, cased);
    go(found, nextFrom(found, view.state.selection.from));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing a search jumps to a match.
  useEffect(() => {
    if (wanted.typed) look(matchCase);
  }, [wanted]);
  const step = (by: number) => {
    const from = at < 0 ? nextFrom(places, state.selection.from) - (by > 0 ? 1 : 0) : at;
    if (places.length > 0) go(places, (from + by + places.length) % places.length);
  };
  const replaceOne = () => {
    const place = places[at];
    if (!place) return step(1);
    view.dispatch(view.state.tr.insertText(instead, place.from, place.to));
    const found = findAll(view.state.doc, words, matchCase);
    announce(editorText.replaced({ count: 1 }));
    go(found, nextFrom(found, place.from + instead.length));
  };
  const replaceAll = () => {
    const { tr } = view.state;
    for (const { from, to } of places.toReversed()) tr.insertText(instead, from, to);
    if (places.length > 0) view.dispatch(tr);
    announce(editorText.replaced({ count: places.length }));
  };
  useImperativeHandle(ref, () => ({
    enter: (looking, back) => (looking ? step(back ? -1 : 1) : replaceOne()),
  }));
  const button = (name: string, icon: IconName, act: () => void) => (
    <button type="button" aria-label={name} data-tip={name} className="editor-tool" onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <span
        role="status"
        className="min-w-18 px-1 text-xs text-soft tabular-nums max-[30rem]:min-w-min max-[30rem]:flex-1"
      >
        {words &&
          (places.length === 0 ? editorText.noMatch : editorText.matchCount({ at: at + 1 || 1, of: places.length }))}
      </span>
      {button(editorText.findPrevious, 'arrow-up', () => step(-1))}
      {button(editorText.findNext, 'arrow-down', () => step(1))}
      <label className="inline-flex min-h-9 items-center gap-1.5 px-2 text-sm text-soft pointer-coarse:min-h-11 max-[30rem]:px-1 max-[30rem]:text-xs">
        <input
          type="checkbox"
          checked={matchCase}
          onChange={(event) => {
            setMatchCase(event.currentTarget.checked);
            look(event.currentTarget.checked);
          }}
        />
        {editorText.matchCase}
      </label>
      {button(editorText.findClose, 'close', onClose)}
      <div className="flex flex-[0_0_100%] flex-wrap items-center gap-1">
        <input
          aria-label={editorText.replaceLabel}
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
    </>
  );
}

function nextFrom(places: readonly TextRange[], pos: number): number {
  const next = places.findIndex(({ from }) => from >= pos);
  return next < 0 ? Math.min(0, places.length - 1) : next;
}

/** Returns all matches in order. A match may span marks but not blocks. A space matches any white space. */
function findAll(doc: Node, wanted: string, matchCase = false): readonly TextRange[] {
  if (wanted === '') return [];
  const pattern = new RegExp(
    wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+'),
    matchCase ? 'gu' : 'giu',
  );
  const places: TextRange[] = [];
  doc.descendants((block, pos) => {
    if (!block.isTextblock) return true;
    for (const { 0: found, index } of wordsOf(block).matchAll(pattern)) {
      places.push({ from: pos + 1 + index, to: pos + 1 + index + found.length });
    }
    return false;
  });
  return places;
}

/** Returns the text of a block with placeholders for other nodes, so that offsets in it match document positions. */
function wordsOf(block: Node): string {
  let words = '';
  block.forEach((node) => {
    words += node.text ?? '\ufffc'.repeat(node.nodeSize);
  });
  return words;
}
