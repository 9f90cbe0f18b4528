/** The one bubble that is for where the cursor is: a link before a picture, before code, before a table. */

import type { Command } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import type { ReactNode, RefObject } from 'react';
import { Floating } from './Floating.tsx';
import { LinkBubble } from './LinkBubble.tsx';
import { usePart } from './use-part.ts';
import type { Snapshot } from './watch.ts';

interface BesideProps {
  readonly view: EditorView;
  readonly frame: RefObject<HTMLElement | null>;
  readonly snapshot: Snapshot;
  /** A link was asked for: its field is focused, also where there is none yet. */
  readonly linking: boolean;
  readonly run: (command: Command) => void;
  readonly onLeave: () => void;
}

export function Beside({ view, frame, snapshot, linking, run, onLeave }: BesideProps) {
  const { picture, code, around } = snapshot;
  const { from, to } = view.state.selection;
  const link = snapshot.link ?? (linking ? { href: '', from, to } : undefined);
  const at = (pos: number, wholeNode: boolean, bubble: ReactNode) => (
    <Floating view={view} frame={frame} pos={pos} wholeNode={wholeNode}>
      {bubble}
    </Floating>
  );
  const tools = { run, onLeave };
  const block = picture ?? code ?? (around.has('table') ? { pos: tablePos(view) } : undefined);
  // Each block can be written in without them, and the next one asks again.
  const { Part: Tools } = usePart(block !== undefined, () => import('./BlockBubble.tsx'), 'BlockBubble');
  if (link) return at(link.from, false, <LinkBubble key={link.from} link={link} asked={linking} {...tools} />);
  return block && Tools && at(block.pos, true, <Tools snapshot={snapshot} {...tools} />);
}

/** Where the table around the cursor begins. */
function tablePos(view: EditorView): number {
  const { $from } = view.state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if ($from.node(depth).type.name === 'table') return $from.before(depth);
  return $from.pos;
}
