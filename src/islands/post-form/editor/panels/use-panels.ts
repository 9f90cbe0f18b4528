import type { EditorView } from '@milkdown/kit/prose/view';
import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { editorText } from '#blog/messages/editor.ts';
import { unsentMessage } from '../pictures/upload-queue.ts';
import type { Pictures } from '../pictures/use-pictures.ts';
import type { CurrentHtml } from '../source/current-html.ts';
import { type PanelName, panelOfKeys } from '../toolbar/tools.ts';

interface PanelsOptions {
  readonly view: EditorView | undefined;
  readonly source: CurrentHtml;
  readonly pictures: Pictures;
  readonly announce: (words: string) => void;
}

export function usePanels({ view, source, pictures, announce }: PanelsOptions) {
  const [open, setOpen] = useState<ReadonlySet<PanelName>>(new Set());
  const [asked, setAsked] = useState(0);
  const [sourceStart, setSourceStart] = useState('');
  const turn = (part: PanelName, on: boolean) =>
    setOpen((before) => new Set(on ? [...before, part] : [...before].filter((other) => other !== part)));

  const change = (part: PanelName, on: boolean) => {
    pictures.setFault('');
    if (part === 'source') return void turnSource(on);
    turn(part, on);
    if (part === 'full') announce(on ? editorText.fullScreenOn : editorText.fullScreenOff);
  };
  /** Waits for uploads, because the source cannot contain pictures that are still being uploaded. */
  const turnSource = async (on: boolean) => {
    if (!view || on === open.has('source')) return;
    const reason = on ? unsentMessage(await pictures.queue.settled()) : undefined;
    if (reason) return pictures.setFault(reason);
    if (on) setSourceStart(source.html(view));
    else source.apply(view);
    turn('source', on);
    announce(on ? editorText.sourceOn : editorText.sourceOff);
    if (!on) requestAnimationFrame(() => view.focus());
  };
  const close = (part: PanelName) => {
    change(part, false);
    view?.focus();
  };
  /** Handles the panels' shortcuts. `isTaken` is true if something else, such as the slash menu, handles Escape. */
  const press = (event: ReactKeyboardEvent, isTaken: boolean) => {
    const part = panelOfKeys(event);
    if (part && open.has('source') && part !== 'full') return;
    if (part) {
      event.preventDefault();
      // The shortcut focuses an open search instead of closing it.
      change(part, part === 'find' || !open.has(part));
      setAsked(asked + 1);
    } else if (event.key === 'Escape' && !isTaken && open.has('full')) close('full');
  };
  return { open, asked, sourceStart, change, close, press };
}

/** Makes the rest of the page inert in full screen. Calls `leave` on Escape outside the editor, and on submit. */
export function useFullScreen(frame: RefObject<HTMLElement | null>, on: boolean, leave: () => void): void {
  const onLeave = useEffectEvent(leave);
  useEffect(() => {
    const form = frame.current?.closest('form');
    if (!on || !form) return;
    const outside: HTMLElement[] = [];
    for (let part: Element = form; part.parentElement && part !== document.body; part = part.parentElement) {
      for (const other of part.parentElement.children) {
        if (other !== part && other instanceof HTMLElement && !other.inert) outside.push(other);
      }
    }
    const press = ({ key, target }: KeyboardEvent) =>
      key === 'Escape' && !frame.current?.contains(target as Node) && onLeave();
    // Leaves full screen before the form is checked, so that an invalid field is visible and can be focused.
    const send = () => flushSync(() => onLeave());
    form.addEventListener('keydown', press);
    form.addEventListener('submit', send);
    for (const other of outside) other.inert = true;
    document.documentElement.classList.add('editor-full');
    return () => {
      form.removeEventListener('keydown', press);
      form.removeEventListener('submit', send);
      for (const other of outside) other.inert = false;
      document.documentElement.classList.remove('editor-full');
    };
  }, [frame, on]);
}
