import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { slashOptionId } from './SlashMenu.tsx';
import { matches, type SlashItem, type SlashQuery } from './slash-items.ts';

interface SlashMenuOptions {
  readonly view: EditorView | undefined;
  readonly slash: SlashQuery | undefined;
  readonly focused: boolean;
  /** Called after "/…" has been removed from the text. */
  readonly onChoose: (item: SlashItem) => void;
  readonly announce: (words: string) => void;
}

export function useSlashMenu({ view, slash, focused, onChoose, announce }: SlashMenuOptions) {
  const [dismissed, setDismissed] = useState<number>();
  const [active, setActive] = useState(0);
  const items = slash && slash.from !== dismissed ? matches(slash) : [];
  const isOpen = focused && items.length > 0;
  useEffect(() => {
    if (!view) return;
    const wiring = { 'aria-controls': 'slash-menu', 'aria-activedescendant': slashOptionId(active) };
    for (const [name, value] of Object.entries(wiring)) {
      if (isOpen) view.dom.setAttribute(name, value);
      else view.dom.removeAttribute(name);
    }
  }, [view, isOpen, active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at its first answer.
  useEffect(() => setActive(0), [slash?.text]);
  useEffect(() => {
    if (!slash) setDismissed(undefined);
  }, [slash]);
  const offered = isOpen ? items.length : 0;
  useEffect(() => {
    if (offered > 0) announce(editorText.blocksOffered({ count: offered }));
  }, [offered, announce]);

  const choose = (item: SlashItem) => {
    if (!view || !slash) return;
    view.dispatch(view.state.tr.delete(slash.from, slash.to));
    onChoose(item);
  };
  const press = (key: string): boolean => {
    if (!isOpen) return false;
    if (key === 'Escape') setDismissed(slash?.from);
    else if (key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (key === 'ArrowUp') setActive((active - 1 + items.length) % items.length);
    else {
      const item = items[active];
      if (item) choose(item);
    }
    return true;
  };
  return { items, active, isOpen, press, choose };
}
