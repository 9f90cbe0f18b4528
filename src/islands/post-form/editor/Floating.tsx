/** Something that floats beside its place in the text and stays inside the editor's frame. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';

interface FloatingProps {
  readonly view: EditorView;
  /** The frame all positions are relative to. */
  readonly frame: RefObject<HTMLElement | null>;
  /** Document position it belongs to. */
  readonly pos: number;
  /** Stay below the whole node at `pos`, not below a line. */
  readonly wholeNode?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

const GAP = 8;
/** From the frame's sides. */
const INSET = 4;

export function Floating({ view, frame, pos, wholeNode = false, className = '', children }: FloatingProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const [element, outer] = [box.current, frame.current?.getBoundingClientRect()];
      // What is said below the text is not covered.
      const body = frame.current?.querySelector('.editor-body')?.getBoundingClientRect();
      if (!element || !outer || !body || view.isDestroyed) return;
      const anchor = anchorOf(view, pos, wholeNode);
      const { width, height } = element.getBoundingClientRect();
      const left = Math.min(Math.max(anchor.left, outer.left + INSET), outer.right - INSET - width);
      const below = anchor.bottom + GAP;
      const above = anchor.top - GAP - height;
      const over = Math.min(anchor.picture?.bottom ?? 0, body.bottom) - GAP - height;
      // Below, unless there is no room and there is above; never outside the frame.
      let top = below + height > body.bottom && above > outer.top ? above : Math.min(below, body.bottom - height);
      // Who has put in a picture goes on below it: its tools stand on it, or above it if it is too small for them.
      if (anchor.picture && over > anchor.picture.top + GAP) top = over;
      else if (anchor.picture && above > body.top) top = above;
      element.style.left = `${Math.max(INSET, left - outer.left)}px`;
      element.style.top = `${Math.max(0, top - outer.top)}px`;
    };
    place();
    const scroller = frame.current;
    scroller?.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      scroller?.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  });
  return (
    <div ref={box} className={`editor-floating ${className}`}>
      {children}
    </div>
  );
}

interface Anchor {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  /** Where the picture itself is, if it is one, and nothing is said below it. */
  readonly picture?: DOMRect | undefined;
}

function anchorOf(view: EditorView, pos: number, wholeNode: boolean): Anchor {
  const dom = wholeNode ? view.nodeDOM(pos) : null;
  if (!(dom instanceof HTMLElement)) return view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const { left, top, bottom } = dom.getBoundingClientRect();
  // What is said about a picture on its way, right below it, is not covered.
  const face = dom.nextElementSibling;
  if (face?.matches('.upload-face')) return { left, top, bottom: face.getBoundingClientRect().bottom };
  const picture = dom.matches('img') ? dom : dom.querySelector(':scope > img');
  return { left, top, bottom, picture: picture?.getBoundingClientRect() };
}
