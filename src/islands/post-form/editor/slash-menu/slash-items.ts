import type { Command, EditorState } from '@milkdown/kit/prose/state';
import { Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import { editorText } from '#blog/messages/editor.ts';
import type { IconName } from '#components/icons/icon-paths.ts';
import { block, list, quote } from '../commands/block-types.ts';
import { rule, table } from '../commands/text-commands.ts';

export interface SlashItem {
  readonly name: string;
  readonly help: string;
  readonly icon: IconName;
  readonly words: string;
  /** Without a command, the file picker opens. */
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

/** Returns the query at the cursor: a paragraph that contains only "/…". */
export function slashQuery({ selection }: EditorState): SlashQuery | undefined {
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== 'paragraph' || $from.parentOffset !== parent.content.size) return undefined;
  const [, text] = /^\/([\p{L}\d ]{0,20})$/u.exec(parent.textContent) ?? [];
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

/** Passes the menu's keys to `press`, which returns true if it handled the key. */
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
