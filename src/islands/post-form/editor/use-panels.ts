/** Which parts of the editor's screen are open (search, outline, source, full screen), and what opens and closes them. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { type KeyboardEvent, useState } from 'react';
import { editorText } from '#blog/editor-text.ts';
import type { TextSource } from './text-source.ts';
import { type Part, partOfKeys } from './tools.ts';
import { obstacle } from './tray.ts';
import type { Pictures } from './use-pictures.ts';

interface PanelsOptions {
  /** The editor; undefined until it is there. */
  readonly view: EditorView | undefined;
  readonly source: TextSource;
  readonly pictures: Pictures;
  readonly announce: (words: string) => void;
}

export function usePanels({ view, source, pictures, announce }: PanelsOptions) {
  const [open, setOpen] = useState<ReadonlySet<Part>>(new Set());
  const [asked, setAsked] = useState(0);
  const [sourceStart, setSourceStart] = useState('');
  const turn = (part: Part, on: boolean) =>
    setOpen((before) => new Set(on ? [...before, part] : [...before].filter((other) => other !== part)));

  const change = (part: Part, on: boolean) => {
    pictures.tell('');
    if (part === 'source') return void turnSource(on);
    turn(part, on);
    if (part === 'full') announce(on ? editorText.fullScreenOn : editorText.fullScreenOff);
  };
  /** Pictures on their way have no place in a source: it is opened when they have arrived. */
  const turnSource = async (on: boolean) => {
    if (!view || on === open.has('source')) return;
    const reason = on ? obstacle(await pictures.tray.settled()) : undefined;
    if (reason) return pictures.tell(reason);
    if (on) setSourceStart(source.html(view));
    else source.apply(view);
    turn('source', on);
    announce(on ? editorText.sourceOn : editorText.sourceOff);
    if (!on) requestAnimationFrame(() => view.focus());
  };
  const close = (part: Part) => {
    change(part, false);
    view?.focus();
  };
  /** `isTaken`: Escape means something else just now. */
  const press = (event: KeyboardEvent, isTaken: boolean) => {
    const part = partOfKeys(event);
    if (part && open.has('source') && part !== 'full') return;
    if (part) {
      event.preventDefault();
      // Asked for again, the search is gone to, not closed.
      change(part, part === 'find' || !open.has(part));
      setAsked(asked + 1);
    } else if (event.key === 'Escape' && !isTaken && open.has('full')) close('full');
  };
  return { open, asked, sourceStart, change, close, press };
}
