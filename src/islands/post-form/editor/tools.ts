/** The tools of the editor: what they are called, their keys, what they do and when they are on. */

import type { Command } from '@milkdown/kit/prose/state';
import { editorText } from '#blog/editor-text.ts';
import type { IconName } from '#components/Icon.tsx';
import { mark, redo, rule, table, undo } from './commands.ts';
import { block, list, quote } from './kinds.ts';
import type { Snapshot } from './watch.ts';

/** Parts of the screen that a tool opens and closes. */
export type Part = 'find' | 'outline' | 'source' | 'full';

export interface Tool {
  readonly name: string;
  /** An icon, or the letters themselves, which begin with H. */
  readonly face: IconName | string;
  /** With the platform's own modifier as "Mod". */
  readonly keys?: string;
  readonly pressed?: (snapshot: Snapshot) => boolean;
  readonly disabled?: (snapshot: Snapshot) => boolean;
  readonly act: Command | Part | 'link' | 'picture';
}

const marked = (name: string) => (snapshot: Snapshot) => snapshot.marks.has(name);
const within = (what: 'quote' | 'bullet' | 'ordered' | 'task' | 'table') => (snapshot: Snapshot) =>
  snapshot.around.has(what);
const inBlock = (name: string) => (snapshot: Snapshot) => snapshot.block === name;
const heading = (level: number, name: string): Tool => ({
  // What is seen is part of what is said.
  name: `${name} H${level}`,
  face: `H${level}`,
  keys: `Mod+Alt+${level}`,
  pressed: inBlock(`heading${level}`),
  act: block('heading', { level }),
});

/** In groups; between them stands a line. The last one stands apart: it is about how the text is looked at. */
export const TOOLS: readonly (readonly Tool[])[] = [
  [heading(2, editorText.heading), heading(3, editorText.subheading), heading(4, editorText.smallHeading)],
  [
    { name: editorText.bold, face: 'bold', keys: 'Mod+B', pressed: marked('strong'), act: mark('strong') },
    { name: editorText.italic, face: 'italic', keys: 'Mod+I', pressed: marked('emphasis'), act: mark('emphasis') },
    {
      name: editorText.strike,
      face: 'strike',
      keys: 'Mod+Alt+X',
      pressed: marked('strike_through'),
      act: mark('strike_through'),
    },
    { name: editorText.code, face: 'code', keys: 'Mod+E', pressed: marked('inlineCode'), act: mark('inlineCode') },
    { name: editorText.link, face: 'link', keys: 'Mod+K', pressed: (snapshot) => Boolean(snapshot.link), act: 'link' },
  ],
  [
    { name: editorText.list, face: 'list', keys: 'Mod+Alt+8', pressed: within('bullet'), act: list('bullet') },
    {
      name: editorText.numberedList,
      face: 'list-numbers',
      keys: 'Mod+Alt+7',
      pressed: within('ordered'),
      act: list('ordered'),
    },
    { name: editorText.taskList, face: 'list-checks', pressed: within('task'), act: list('task') },
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

const PARTS: readonly string[] = ['find', 'outline', 'source', 'full'] satisfies Part[];
export const isPart = (act: Tool['act']): act is Part => typeof act === 'string' && PARTS.includes(act);

/** What is of use while the text is shown as its source. */
export const isForSource = ({ act }: Tool): boolean => act === 'source' || act === 'full';

const MAC = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);
/** As they are called on this machine. */
export const shownKeys = (keys: string): string =>
  keys.replace('Mod', MAC ? '⌘' : 'Ctrl').replace('Alt', MAC ? '⌥' : 'Alt');
/** For `aria-keyshortcuts`. */
export const spokenKeys = (keys: string): string => keys.replace('Mod', MAC ? 'Meta' : 'Control');

/** The part whose keys were pressed. The other tools have theirs in the text. */
export function partOfKeys(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}): Part | undefined {
  if (event.altKey || !(MAC ? event.metaKey : event.ctrlKey)) return undefined;
  const pressed = `Mod+${event.shiftKey ? 'Shift+' : ''}${event.key.toUpperCase()}`;
  const act = TOOLS.at(-1)?.find(({ keys }) => keys === pressed)?.act;
  return act !== undefined && isPart(act) ? act : undefined;
}
