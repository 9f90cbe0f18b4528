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
      // Below, unless there is no room and there is above; never outside the frame.
      const top = below + height > body.bottom && above > outer.top ? above : Math.min(below, body.bottom - height);
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

function anchorOf(view: EditorView, pos: number, wholeNode: boolean): { left: number; top: number; bottom: number } {
  const dom = wholeNode ? view.nodeDOM(pos) : null;
  if (!(dom instanceof HTMLElement)) return view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const { left, top, bottom } = dom.getBoundingClientRect();
  // What is said about a picture on its way, right below it, is not covered.
  const face = dom.nextElementSibling;
  return { left, top, bottom: face?.matches('.upload-face') ? face.getBoundingClientRect().bottom : bottom };
}
