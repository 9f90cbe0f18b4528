/** The slash menu beside the cursor. The focus stays in the text, which forwards the menu's keys. */

import type { Command, EditorState } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect, useRef, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { Icon } from '#components/icons/Icon.tsx';
import type { IconName } from '#components/icons/icon-paths.ts';
import { block, list, quote } from '../commands/block-types.ts';
import { rule, table } from '../commands/text-commands.ts';
import { plugin } from '../plugins.ts';

interface SlashItem {
  readonly name: string;
  readonly help: string;
  readonly icon: IconName;
  readonly words: string;
  /** The item's command. An item without a command opens the file picker. */
  readonly command?: Command;
}

const item = (what: keyof typeof editorText.help, icon: IconName, command?: Command): SlashItem => {
  const [help, words] = editorText.help[what];
  return { name: editorText[what], help, words, icon, ...(command && { command }) };
};

const SLASH_ITEMS: readonly SlashItem[] = [
  item('heading', 'heading', block('heading', { level: 2 })),
  item('subheading', 'heading', block('heading', { level: 3 })),
  item('picture', 'picture'),
  item('list', 'list', list('bullet')),
  item('numberedList', 'list-numbers', list('ordered')),
  item('taskList', 'list-checks', list('task')),
  item('quote', 'quote', quote),
  item('code', 'code-block', block('code_block')),
  item('table', 'table', table),
  item('break', 'rule', rule),
];

export interface SlashQuery {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the query if the cursor is at the end of a paragraph that contains only "/…"; otherwise undefined. */
export function slashQuery({ selection }: EditorState): SlashQuery | undefined {
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== 'paragraph' || $from.parentOffset !== parent.content.size) return undefined;
  const [, text] = /^\/([\p{L}\d ]{0,20})$/u.exec(parent.textContent) ?? [];
  return text === undefined ? undefined : { text, from: $from.start(), to: $from.pos };
}

function matches({ text }: SlashQuery): readonly SlashItem[] {
  const wanted = text.trim().toLowerCase();
  return SLASH_ITEMS.filter(({ name, words }) =>
    `${name} ${words}`
      .toLowerCase()
      .split(' ')
      .some((word) => word.startsWith(wanted)),
  );
}

export const slashKeys = (press: (key: string) => boolean) =>
  plugin({
    props: {
      handleKeyDown: (_view, event) =>
        !event.isComposing && /^(ArrowUp|ArrowDown|Enter|Tab|Escape)$/.test(event.key) && press(event.key),
    },
  });

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed query selects its first result.
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

const slashOptionId = (index: number): string => `slash-option-${index}`;

export function SlashMenu({ items, active, choose }: ReturnType<typeof useSlashMenu>) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={menu} id="slash-menu" role="listbox" aria-label={editorText.blocks} className="slash-menu">
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the text, which forwards the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: an active descendant of the text is never focused itself.
        <div
          key={item.name}
          id={slashOptionId(index)}
          role="option"
          aria-selected={index === active}
          className="slash-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(item)}
        >
          <Icon name={item.icon} />
          <span>{item.name}</span>
          <span className="text-xs text-soft">{item.help}</span>
        </div>
      ))}
    </div>
  );
}
