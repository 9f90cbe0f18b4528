import type { EditorView } from '@milkdown/kit/prose/view';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';

interface FloatingProps {
  readonly view: EditorView;
  readonly frame: RefObject<HTMLElement | null>;
  readonly pos: number;
  /** Places the box below the entire node at `pos` instead of below the line at `pos`. */
  readonly wholeNode?: boolean;
  readonly children: ReactNode;
}

const GAP = 8;
/** Minimum height in CSS pixels to leave for the box, enough for several menu items. */
const LEAST = 120;
/** Minimum distance in CSS pixels from the sides of the frame. */
const INSET = 4;

export function Floating({ view, frame, pos, wholeNode = false, children }: FloatingProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const [element, outer] = [box.current, frame.current?.getBoundingClientRect()];
      const text = frame.current && areaOf(frame.current, wholeNode);
      if (!element || !outer || !text || !frame.current || view.isDestroyed) return;
      const anchor = anchorOf(view, pos, wholeNode);
      if (anchor.room) element.style.maxWidth = anchor.room.width;
      const below = anchor.bottom + GAP;
      const roomsIn = (part: Area) => [anchor.top - GAP - part.top, part.bottom - below] as const;
      // If the visible part of the text is too short for the box, the box may cover the surrounding form.
      const area = wholeNode || Math.max(...roomsIn(text)) >= LEAST ? text : screenOf(frame.current);
      const [roomAbove, roomBelow] = roomsIn(area);
      const most = Math.max(roomAbove, roomBelow, wholeNode ? LEAST : 0);
      element.style.setProperty('--most', `${Math.floor(most)}px`);
      const { width, height } = element.getBoundingClientRect();
      const left = Math.min(Math.max(anchor.left, outer.left + INSET), outer.right - INSET - width);
      const above = anchor.top - GAP - height;
      const over = Math.min(anchor.picture?.bottom ?? 0, area.bottom) - GAP - height;
      // Places the box below, or above if it fits only there. If it fits nowhere, it may cover a node but not a line.
      let top = height > roomBelow && (wholeNode ? height <= roomAbove : roomAbove > roomBelow) ? above : below;
      if (wholeNode && top === below) top = Math.min(below, area.bottom - height);
      // Places the box inside a picture, or above a small one, because the writer continues typing below the picture.
      if (anchor.picture && over > anchor.picture.top + GAP) top = over;
      else if (anchor.picture && above > area.top) top = above;
      else if (anchor.room) top = inRoom(view, area, { ...anchor.room, height });
      element.style.left = `${Math.max(INSET, left - outer.left)}px`;
      element.style.top = `${wholeNode ? Math.max(0, top - outer.top) : top - outer.top}px`;
    };
    place();
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('scroll', place, { capture: true, signal });
    window.addEventListener('resize', place, { signal });
    return () => listening.abort();
  });
  return (
    <div ref={box} className="editor-floating">
      {children}
    </div>
  );
}

interface Area {
  readonly top: number;
  readonly bottom: number;
}

function areaOf(frame: HTMLElement, isForNode: boolean): Area | undefined {
  const boxOf = (part: string) => frame.querySelector(part)?.getBoundingClientRect();
  const [body, toolbar, notices] = ['.editor-body', '.editor-toolbar', '.editor-notices'].map(boxOf);
  if (!body || !toolbar || !notices) return undefined;
  const isDocked = frame.hasAttribute('data-docked');
  const top = isDocked ? screenOf(frame).top : toolbar.bottom;
  const bottom = isDocked ? toolbar.top : Math.min(window.innerHeight, notices.top);
  const seen = { top: Math.max(body.top, top), bottom: Math.min(body.bottom, bottom) };
  // If little of the text is visible, lets a node's box scroll out of view together with the node.
  return isForNode && seen.bottom - seen.top <= LEAST ? body : seen;
}

/** Returns the visible part of the page, above a phone's keyboard and the docked toolbar. */
function screenOf(frame: HTMLElement): Area {
  const { offsetTop = 0 } = window.visualViewport ?? {};
  const docked = frame.matches('[data-docked]') && frame.querySelector('.editor-toolbar');
  return { top: offsetTop, bottom: docked ? docked.getBoundingClientRect().top : window.innerHeight };
}

/**
 * Returns the top position of a box: centred in its reserved space or, if that is out of view, at the top of the
 * visible text (at the bottom if the cursor is near the top).
 */
function inRoom(view: EditorView, area: Area, room: { top: number; bottom: number; height: number }): number {
  const { height } = room;
  const top = (room.top + room.bottom - height) / 2;
  if (top >= area.top && top + height <= area.bottom) return top;
  const line = view.coordsAtPos(view.state.selection.head);
  return line.top > area.top + height + 2 * GAP ? area.top + GAP : area.bottom - GAP - height;
}

interface Anchor {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  /** The rectangle of the picture, unless an upload status is below it. */
  readonly picture?: DOMRect | undefined;
  /** The space that CSS reserves for the box, above a table or at the top of code. */
  readonly room?: { readonly top: number; readonly bottom: number; readonly width: string } | undefined;
}

function anchorOf(view: EditorView, pos: number, wholeNode: boolean): Anchor {
  const dom = wholeNode ? view.nodeDOM(pos) : null;
  if (!(dom instanceof HTMLElement)) return view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const { left, top, bottom } = dom.getBoundingClientRect();
  // The box must not cover the upload status below a picture.
  const status = dom.nextElementSibling;
  if (status?.matches('.upload-status')) return { left, top, bottom: status.getBoundingClientRect().bottom };
  const picture = dom.matches('img') ? dom : dom.querySelector(':scope > img');
  return { left, top, bottom, picture: picture?.getBoundingClientRect(), room: roomOf(dom, top) };
}

function roomOf(dom: HTMLElement, top: number): Anchor['room'] {
  const { marginTop, paddingTop } = getComputedStyle(dom);
  if (dom.matches('pre')) {
    return { top, bottom: top + Number.parseFloat(paddingTop), width: `${dom.offsetWidth}px` };
  }
  if (!dom.matches('table')) return undefined;
  const page = dom.previousElementSibling ? undefined : dom.parentElement?.getBoundingClientRect();
  return { top: page?.top ?? top - Number.parseFloat(marginTop), bottom: top, width: '' };
}
