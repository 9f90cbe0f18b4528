import { type RefObject, useEffect } from 'react';

/** In CSS pixels; a lower obstacle is a bar of the browser. */
const KEYBOARD_MIN = 120;

/** Sets `data-docked` on the frame and `--visible-bottom` on the page while a keyboard covers part of it. */
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
    seen.addEventListener('resize', place);
    seen.addEventListener('scroll', place);
    return () => {
      seen.removeEventListener('resize', place);
      seen.removeEventListener('scroll', place);
      element.removeAttribute('data-docked');
      style.removeProperty('--visible-bottom');
    };
  }, [frame, writing]);
}
