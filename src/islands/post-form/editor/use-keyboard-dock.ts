/** On a phone the toolbar stands above the keyboard while the text is written: there ends what can be seen of the page. */

import { type RefObject, useEffect } from 'react';

/** Less than this is a bar of the browser, not a keyboard. CSS pixels. */
const KEYBOARD_MIN = 120;

/** Marks the frame `data-docked` and gives it `--visible-bottom` while a keyboard on the screen covers part of the page. */
export function useKeyboardDock(frame: RefObject<HTMLElement | null>, writing: boolean): void {
  useEffect(() => {
    const [element, seen] = [frame.current, window.visualViewport];
    if (!element || !seen || !writing) return;
    const place = () => {
      // Somebody who zooms in sees less, too, and wants the toolbar to stay.
      const hidden = document.documentElement.clientHeight - seen.height * seen.scale;
      element.toggleAttribute('data-docked', hidden > KEYBOARD_MIN);
      element.style.setProperty('--visible-bottom', `${Math.round(seen.offsetTop + seen.height)}px`);
    };
    place();
    seen.addEventListener('resize', place);
    seen.addEventListener('scroll', place);
    return () => {
      seen.removeEventListener('resize', place);
      seen.removeEventListener('scroll', place);
      element.removeAttribute('data-docked');
      element.style.removeProperty('--visible-bottom');
    };
  }, [frame, writing]);
}
