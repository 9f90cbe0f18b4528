/** Shows the floating toolbar for the cursor position: link, picture, code or table, in this order of precedence. */

import type { Command } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import type { ReactNode, RefObject } from 'react';
import { useLazyComponent } from '../../../lazy/lazy-part.tsx';
import { depthOf } from '../commands/text-commands.ts';
import type { Snapshot } from '../editor-state.ts';
import { Floating } from './Floating.tsx';
import { LinkBubble } from './LinkBubble.tsx';

interface BubbleAtCursorProps {
  readonly view: EditorView;
  readonly frame: RefObject<HTMLElement | null>;
  readonly snapshot: Snapshot;
  readonly linking: boolean;
  readonly run: (command: Command) => void;
  readonly onLeave: () => void;
}

export function BubbleAtCursor({ view, frame, snapshot, linking, run, onLeave }: BubbleAtCursorProps) {
  const { picture, code, around } = snapshot;
  const { from, to, $from } = view.state.selection;
  const link = snapshot.link ?? (linking ? { href: '', from, to } : undefined);
  const at = (pos: number, wholeNode: boolean, bubble: ReactNode) => (
    <Floating view={view} frame={frame} pos={pos} wholeNode={wholeNode}>
      {bubble}
    </Floating>
  );
  const tools = { run, onLeave };
  const depth = around.has('table') ? depthOf($from, 'table') : 0;
  const block = picture ?? code ?? (depth > 0 ? { pos: $from.before(depth) } : undefined);
  // Shows no error if loading fails, because the toolbar is optional. Loading is tried again the next time the cursor
  // enters a block that has a toolbar.
  const { Component: Tools } = useLazyComponent(block !== undefined, () => import('./BlockBubble.tsx'), 'BlockBubble');
  if (link)
    return at(
      link.from,
      false,
      <LinkBubble key={`${link.from} ${link.href}`} link={link} asked={linking} {...tools} />,
    );
  return block && Tools && at(block.pos, true, <Tools snapshot={snapshot} {...tools} />);
}
