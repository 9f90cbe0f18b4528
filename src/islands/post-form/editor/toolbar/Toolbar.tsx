import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { Icon } from '#components/icons/Icon.tsx';
import type { IconName } from '#components/icons/icon-paths.ts';
import type { Snapshot } from '../editor-state.ts';
import { ariaKeys, displayedKeys, isForSource, isPanel, type PanelName, TOOLS, type Tool } from './tools.ts';

interface ToolbarProps {
  readonly snapshot: Snapshot;
  readonly open: ReadonlySet<PanelName>;
  readonly onTool: (tool: Tool) => void;
  readonly onLeave: () => void;
}

const COUNT = TOOLS.flat().length;

export function Toolbar({ snapshot, open, onTool, onLeave }: ToolbarProps) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);

  const move = (event: KeyboardEvent) => {
    const towards = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const step = { ArrowRight: towards, ArrowLeft: -towards }[event.key];
    const next = step ? (current + step + COUNT) % COUNT : { Home: 0, End: COUNT - 1 }[event.key];
    if (event.key === 'Escape') {
      event.stopPropagation();
      onLeave();
    }
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  const isDisabled = (tool: Tool) => (open.has('source') ? !isForSource(tool) : tool.disabled?.(snapshot)) || undefined;
  const isPressed = ({ act, pressed }: Tool) => (isPanel(act) ? open.has(act) : pressed?.(snapshot));

  let index = -1;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={editorText.formatting}
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
                aria-pressed={isPressed(tool)}
                aria-disabled={isDisabled(tool)}
                aria-keyshortcuts={tool.keys && ariaKeys(tool.keys)}
                data-tip={tool.keys ? `${tool.name} ${displayedKeys(tool.keys)}` : tool.name}
                tabIndex={own === current ? 0 : -1}
                onFocus={() => setCurrent(own)}
                // Keeps the focus and the selection in the text.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => !isDisabled(tool) && onTool(tool)}
              >
                {/^H/.test(tool.face) ? (
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

/** Minimum height in CSS pixels of an on-screen keyboard; a smaller hidden area is one of the browser's bars. */
const KEYBOARD_MIN = 120;

/**
 * While `writing` is true, sets `--visible-bottom` on the page, and `data-docked` on the frame if an on-screen keyboard
 * is open.
 */
export function useKeyboardDock(frame: RefObject<HTMLElement | null>, writing: boolean): void {
  useEffect(() => {
    const [element, seen] = [frame.current, window.visualViewport];
    const { style } = document.documentElement;
    if (!element || !seen || !writing) return;
    const place = () => {
      // Zooming also shrinks the visible area but must not move the toolbar.
      const hidden = document.documentElement.clientHeight - seen.height * seen.scale;
      element.toggleAttribute('data-docked', hidden > KEYBOARD_MIN);
      style.setProperty('--visible-bottom', `${Math.round(seen.offsetTop + seen.height)}px`);
    };
    place();
    const listening = new AbortController();
    seen.addEventListener('resize', place, listening);
    seen.addEventListener('scroll', place, listening);
    return () => {
      listening.abort();
      element.removeAttribute('data-docked');
      style.removeProperty('--visible-bottom');
    };
  }, [frame, writing]);
}
