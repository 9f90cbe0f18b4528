/** The list of the slash menu beside the cursor. The editor forwards its keys (`slash-items.ts`). */

import { useEffect, useRef } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { Icon } from '#components/icons/Icon.tsx';
import type { SlashItem } from './slash-items.ts';

interface SlashMenuProps {
  readonly items: readonly SlashItem[];
  readonly active: number;
  readonly onChoose: (item: SlashItem) => void;
}

export const slashOptionId = (index: number): string => `slash-option-${index}`;

export function SlashMenu({ items, active, onChoose }: SlashMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={menu} id="slash-menu" role="listbox" aria-label={editorText.blocks} className="slash-menu">
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the text, which hands the keys on.
        // biome-ignore lint/a11y/useFocusableInteractive: an active descendant of the text is never focused itself.
        <div
          key={item.name}
          id={slashOptionId(index)}
          role="option"
          aria-selected={index === active}
          className="slash-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <Icon name={item.icon} />
          <span>{item.name}</span>
          <span className="text-xs text-soft">{item.help}</span>
        </div>
      ))}
    </div>
  );
}
