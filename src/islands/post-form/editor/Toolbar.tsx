/** The toolbar: one tab stop, arrows within, names and keys told, what is on shown as pressed. */

import type { Command } from '@milkdown/kit/prose/state';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon, type IconName } from '#components/Icon.tsx';
import { block, list, mark, quote, redo, rule, table, undo } from './commands.ts';
import type { Snapshot } from './watch.ts';

export interface ToolbarProps {
  readonly snapshot: Snapshot;
  readonly run: (command: Command) => void;
  readonly onLink: () => void;
  readonly onPicture: () => void;
  /** Escape: back to the text. */
  readonly onLeave: () => void;
}

interface Tool {
  readonly name: string;
  readonly face: IconName | string;
  /** With the platform's own modifier as "Mod". */
  readonly keys?: string;
  readonly pressed?: (snapshot: Snapshot) => boolean;
  readonly disabled?: (snapshot: Snapshot) => boolean;
  readonly act: Command | 'link' | 'picture';
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

/** In groups; between them stands a line. */
const TOOLS: readonly (readonly Tool[])[] = [
  [heading(2, 'Heading'), heading(3, 'Subheading'), heading(4, 'Small heading')],
  [
    { name: 'Bold', face: 'bold', keys: 'Mod+B', pressed: marked('strong'), act: mark('strong') },
    { name: 'Italic', face: 'italic', keys: 'Mod+I', pressed: marked('emphasis'), act: mark('emphasis') },
    {
      name: 'Strikethrough',
      face: 'strike',
      keys: 'Mod+Alt+X',
      pressed: marked('strike_through'),
      act: mark('strike_through'),
    },
    { name: 'Code', face: 'code', keys: 'Mod+E', pressed: marked('inlineCode'), act: mark('inlineCode') },
    { name: 'Link', face: 'link', keys: 'Mod+K', pressed: (snapshot) => Boolean(snapshot.link), act: 'link' },
  ],
  [
    { name: 'List', face: 'list', keys: 'Mod+Alt+8', pressed: within('bullet'), act: list('bullet') },
    {
      name: 'Numbered list',
      face: 'list-numbers',
      keys: 'Mod+Alt+7',
      pressed: within('ordered'),
      act: list('ordered'),
    },
    { name: 'Task list', face: 'list-checks', pressed: within('task'), act: list('task') },
    { name: 'Quote', face: 'quote', keys: 'Mod+Shift+B', pressed: within('quote'), act: quote },
  ],
  [
    { name: 'Picture', face: 'picture', act: 'picture' },
    { name: 'Table', face: 'table', disabled: within('table'), act: table },
    {
      name: 'Code block',
      face: 'code-block',
      keys: 'Mod+Alt+C',
      pressed: inBlock('code_block'),
      act: block('code_block'),
    },
    { name: 'Break', face: 'rule', act: rule },
  ],
  [
    { name: 'Undo', face: 'undo', keys: 'Mod+Z', disabled: (snapshot) => !snapshot.canUndo, act: undo },
    { name: 'Redo', face: 'redo', keys: 'Mod+Shift+Z', disabled: (snapshot) => !snapshot.canRedo, act: redo },
  ],
];
const COUNT = TOOLS.flat().length;

const MAC = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);
const shownKeys = (keys: string) => keys.replace('Mod', MAC ? '⌘' : 'Ctrl').replace('Alt', MAC ? '⌥' : 'Alt');

export function Toolbar({ snapshot, run, onLink, onPicture, onLeave }: ToolbarProps) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step ? (current + step + COUNT) % COUNT : { Home: 0, End: COUNT - 1 }[event.key];
    if (event.key === 'Escape') onLeave();
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  const act = (tool: Tool) => {
    if (tool.disabled?.(snapshot)) return;
    if (tool.act === 'link') onLink();
    else if (tool.act === 'picture') onPicture();
    else run(tool.act);
  };

  let index = -1;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-controls="content-editor"
      className="editor-toolbar"
      onKeyDown={move}
    >
      {TOOLS.map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups never change.
        <div key={place} className="editor-tools">
          {group.map((tool) => {
            index += 1;
            const own = index;
            return (
              <button
                key={tool.name}
                type="button"
                className="editor-tool"
                aria-label={tool.name}
                aria-pressed={tool.pressed?.(snapshot)}
                aria-disabled={tool.disabled?.(snapshot) || undefined}
                aria-keyshortcuts={tool.keys?.replace('Mod', MAC ? 'Meta' : 'Control')}
                data-tip={tool.keys ? `${tool.name} ${shownKeys(tool.keys)}` : tool.name}
                tabIndex={own === current ? 0 : -1}
                onFocus={() => setCurrent(own)}
                // The selection stays where it is.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => act(tool)}
              >
                {/^H\d$/.test(tool.face) ? (
                  <span aria-hidden="true">{tool.face}</span>
                ) : (
                  <Icon name={tool.face as IconName} />
                )}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
