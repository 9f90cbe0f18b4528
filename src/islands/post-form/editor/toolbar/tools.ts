import type { Command } from '@milkdown/kit/prose/state';
import type { KeyboardEvent } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import type { IconName } from '#components/icons/icon-paths.ts';
import { block, type ListKind, list, quote } from '../commands/block-types.ts';
import { mark, redo, rule, table, undo } from '../commands/text-commands.ts';
import type { Around, Snapshot } from '../editor-state.ts';

export type PanelName = 'find' | 'outline' | 'source' | 'full';

export interface Tool {
  readonly name: string;
  /** An icon name, or the label of a heading, such as `H2`. */
  readonly face: IconName | string;
  readonly keys?: string | undefined;
  readonly pressed?: (snapshot: Snapshot) => boolean;
  readonly disabled?: (snapshot: Snapshot) => boolean;
  readonly act: Command | PanelName | 'link' | 'picture';
}

const markTool = (name: string, face: IconName, keys: string, type: string): Tool => ({
  ...{ name, face, keys },
  pressed: ({ marks }) => marks.has(type),
  act: mark(type),
});
const within = (what: Around) => (snapshot: Snapshot) => snapshot.around.has(what);
const inBlock = (name: string) => (snapshot: Snapshot) => snapshot.block === name;
const listTool = (name: string, face: IconName, kind: ListKind, keys?: string): Tool => ({
  ...{ name, face, keys },
  pressed: within(kind),
  act: list(kind),
});
const heading = (level: number, name: string): Tool => ({
  // The accessible name must contain the visible label (WCAG 2.5.3).
  name: `${name} H${level}`,
  face: `H${level}`,
  keys: `Mod+Alt+${level}`,
  pressed: inBlock(`heading${level}`),
  act: block('heading', { level }),
});

export const TOOLS: readonly (readonly Tool[])[] = [
  [heading(2, editorText.heading), heading(3, editorText.subheading), heading(4, editorText.smallHeading)],
  [
    markTool(editorText.bold, 'bold', 'Mod+B', 'strong'),
    markTool(editorText.italic, 'italic', 'Mod+I', 'emphasis'),
    markTool(editorText.strike, 'strike', 'Mod+Alt+X', 'strike_through'),
    markTool(editorText.code, 'code', 'Mod+E', 'inlineCode'),
    { name: editorText.link, face: 'link', keys: 'Mod+K', pressed: (snapshot) => Boolean(snapshot.link), act: 'link' },
  ],
  [
    listTool(editorText.list, 'list', 'bullet', 'Mod+Alt+8'),
    listTool(editorText.numberedList, 'list-numbers', 'ordered', 'Mod+Alt+7'),
    listTool(editorText.taskList, 'list-checks', 'task'),
    { name: editorText.quote, face: 'quote', keys: 'Mod+Shift+B', pressed: within('quote'), act: quote },
  ],
  [
    { name: editorText.picture, face: 'picture', act: 'picture' },
    { name: editorText.table, face: 'table', disabled: within('table'), act: table },
    {
      name: editorText.codeBlock,
      face: 'code-block',
      keys: 'Mod+Alt+C',
      pressed: inBlock('code_block'),
      act: block('code_block'),
    },
    { name: editorText.break, face: 'rule', act: rule },
  ],
  [
    { name: editorText.undo, face: 'undo', keys: 'Mod+Z', disabled: (snapshot) => !snapshot.canUndo, act: undo },
    { name: editorText.redo, face: 'redo', keys: 'Mod+Shift+Z', disabled: (snapshot) => !snapshot.canRedo, act: redo },
  ],
  [
    { name: editorText.find, face: 'search', keys: 'Mod+F', act: 'find' },
    { name: editorText.outline, face: 'outline', keys: 'Mod+Shift+O', act: 'outline' },
    { name: editorText.source, face: 'source', act: 'source' },
    { name: editorText.fullScreen, face: 'expand', keys: 'Mod+Shift+F', act: 'full' },
  ],
];

const PARTS: readonly string[] = ['find', 'outline', 'source', 'full'] satisfies PanelName[];
export const isPanel = (act: Tool['act']): act is PanelName => typeof act === 'string' && PARTS.includes(act);

export const isForSource = ({ act }: Tool): boolean => act === 'source' || act === 'full';

const MAC = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);
export const displayedKeys = (keys: string): string =>
  keys.replace('Mod', MAC ? '⌘' : 'Ctrl').replace('Alt', MAC ? '⌥' : 'Alt');
export const ariaKeys = (keys: string): string => keys.replace('Mod', MAC ? 'Meta' : 'Control');

/** Returns the panel whose shortcut was pressed; undefined for other shortcuts, which the editor handles. */
export function panelOfKeys({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): PanelName | undefined {
  if (altKey || !(MAC ? metaKey : ctrlKey)) return undefined;
  const pressed = `Mod+${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}`;
  const act = TOOLS.at(-1)?.find(({ keys }) => keys === pressed)?.act;
  return act !== undefined && isPanel(act) ? act : undefined;
}
