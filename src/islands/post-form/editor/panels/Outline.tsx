import { type EditorState, TextSelection } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type KeyboardEvent, useRef } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { Icon } from '#components/icons/Icon.tsx';

interface OutlineProps {
  readonly view: EditorView;
  readonly state: EditorState;
  readonly onClose: () => void;
}

export function Outline({ view, state, onClose }: OutlineProps) {
  const list = useRef<HTMLOListElement>(null);
  const headings = headingsIn(state);
  const current = headings.findLast(({ pos }) => pos < state.selection.from);

  const go = (pos: number) => {
    const { tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(pos + 1))));
    view.focus();
    // Scrolls the heading to the top of the text, not just into view.
    const heading = view.nodeDOM(pos);
    if (heading instanceof HTMLElement) heading.scrollIntoView({ block: 'start' });
  };
  const press = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  };
  return (
    <>
      <div className="flex items-center justify-between ps-2 text-soft">
        <span aria-hidden="true">{editorText.outline}</span>
        <button type="button" aria-label={editorText.outlineClose} className="editor-tool" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {headings.length === 0 && <p className="p-2 text-soft">{editorText.outlineEmpty}</p>}
      <ol ref={list} onKeyDown={press}>
        {headings.map(({ pos, level, text }) => (
          <li key={pos}>
            <button
              type="button"
              dir="auto"
              className={`min-h-9 w-full rounded-sm py-1.5 pe-2 text-start wrap-anywhere hover:bg-well aria-[current]:text-accent pointer-coarse:min-h-11 ${INDENTS[Math.min(level, 3) - 1]}`}
              aria-current={pos === current?.pos ? 'location' : undefined}
              onClick={() => go(pos)}
            >
              {text || editorText.untitledHeading}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

const INDENTS = ['ps-2', 'ps-5', 'ps-8'];

interface Heading {
  readonly pos: number;
  readonly level: number;
  readonly text: string;
}

function headingsIn({ doc }: EditorState): readonly Heading[] {
  const found: Heading[] = [];
  doc.descendants((node, pos) => {
    if (node.type.name === 'heading')
      found.push({ pos, level: Number(node.attrs.level), text: node.textContent.trim() });
    return !node.isTextblock;
  });
  const outermost = Math.min(...found.map(({ level }) => level));
  return found.map((heading) => ({ ...heading, level: heading.level - outermost + 1 }));
}
