/** The editor over the whole window: nothing else can be reached or scrolled until it is left. */

import { type RefObject, useEffect } from 'react';

export function useFullScreen(frame: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const outside: HTMLElement[] = [];
    for (let part = frame.current; part?.parentElement && part !== document.body; part = part.parentElement) {
      for (const other of part.parentElement.children) {
        if (other !== part && other instanceof HTMLElement && !other.inert) outside.push(other);
      }
    }
    for (const other of outside) other.inert = true;
    document.documentElement.classList.add('editor-full');
    return () => {
      for (const other of outside) other.inert = false;
      document.documentElement.classList.remove('editor-full');
    };
  }, [frame, on]);
}
