/** The slash menu: which blocks there are, and the keys that choose one while "/…" is being typed. */

import type { Command, EditorState } from '@milkdown/kit/prose/state';
import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import type { IconName } from '#components/Icon.tsx';
import { block, list, quote, rule, table } from './commands.ts';

export interface SlashItem {
  readonly name: string;
  readonly help: string;
  readonly icon: IconName;
  /** Other words by which it is found. */
  readonly words: string;
  /** Without it the picture picker opens. */
  readonly command?: Command;
}

export const SLASH_ITEMS: readonly SlashItem[] = [
  {
    name: 'Heading',
    help: 'A part of the post',
    icon: 'heading',
    words: 'h2 title',
    command: block('heading', { level: 2 }),
  },
  {
    name: 'Subheading',
    help: 'A part of a part',
    icon: 'heading',
    words: 'h3 title',
    command: block('heading', { level: 3 }),
  },
  { name: 'Picture', help: 'From this device', icon: 'picture', words: 'image photo upload' },
  { name: 'List', help: 'With bullets', icon: 'list', words: 'bullet ul unordered', command: list('bullet') },
  { name: 'Numbered list', help: 'In an order', icon: 'list-numbers', words: 'ol ordered', command: list('ordered') },
  { name: 'Task list', help: 'With boxes to tick', icon: 'list-checks', words: 'todo check', command: list('task') },
  { name: 'Quote', help: 'Somebody else’s words', icon: 'quote', words: 'blockquote cite', command: quote },
  { name: 'Code', help: 'With its language', icon: 'code-block', words: 'pre program', command: block('code_block') },
  { name: 'Table', help: 'Rows and columns', icon: 'table', words: 'grid', command: table },
  { name: 'Break', help: 'A pause between parts', icon: 'rule', words: 'hr line rule divider', command: rule },
];

export interface SlashQuery {
  /** What stands behind the slash. */
  readonly text: string;
  /** Where "/…" begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** The query at the cursor: "/…" at the beginning of a paragraph, and nothing behind it. */
export function slashQuery({ selection }: EditorState): SlashQuery | undefined {
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== 'paragraph' || $from.parentOffset !== parent.content.size) return undefined;
  const [, text] = /^\/([\p{L} ]{0,20})$/u.exec(parent.textContent) ?? [];
  return text === undefined ? undefined : { text, from: $from.start(), to: $from.pos };
}

export function matches({ text }: SlashQuery): readonly SlashItem[] {
  const wanted = text.trim().toLowerCase();
  return SLASH_ITEMS.filter(({ name, words }) =>
    `${name} ${words}`
      .toLowerCase()
      .split(' ')
      .some((word) => word.startsWith(wanted)),
  );
}

/** Lets `press` have the keys that drive the menu; it says whether it took one. */
export const slashKeys = (press: (key: string) => boolean) =>
  $prose(
    () =>
      new Plugin({
        props: {
          handleKeyDown: (_view, event) =>
            !event.isComposing && /^(ArrowUp|ArrowDown|Enter|Tab|Escape)$/.test(event.key) && press(event.key),
        },
      }),
  );
