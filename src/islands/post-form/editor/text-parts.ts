/**
 * A long text in parts (decision 021): the blocks stay side by side in the document, for the editor and for whoever reads
 * it, and a shadow tree gathers some at a time into boxes that the browser skips while they are out of view.
 */

import type { EditorView } from '@milkdown/kit/prose/view';

/** Blocks of a part at first; one that has grown to three times as many is cut. */
const PART = 10;

interface Part {
  readonly box: HTMLElement;
  readonly slot: HTMLSlotElement;
  readonly blocks: readonly Block[];
}
type Block = Element | Text;

/** For as long as the editor's element lives, which can have one shadow tree. */
export function layOutInParts(view: EditorView) {
  const page = view.dom;
  const whole = document.createElement('div');
  let parts: readonly Part[] = [];
  /** Boxes that are laid out wherever they are. */
  let opened: ReadonlySet<HTMLElement> = new Set();
  /** Of which part a block is. */
  const places = new Map<Node, number>();

  /** Each block stays in its part; a new one goes into that of the block before it. */
  const arrange = (records: readonly MutationRecord[]) => {
    for (const { addedNodes, removedNodes } of records)
      for (const block of [...addedNodes, ...removedNodes]) places.delete(block);
    const lists: Block[][] = [[], ...parts.slice(1).map(() => [])];
    let place = 0;
    for (const block of page.childNodes as NodeListOf<Block>) {
      place = Math.max(place, places.get(block) ?? 0);
      lists[place]?.push(block);
    }
    const next: Part[] = [];
    lists.forEach((blocks, index) => {
      // While an input method composes nothing under it is built anew.
      const pieces = blocks.length <= 3 * PART || view.composing ? [blocks] : cutUp(blocks);
      for (const piece of pieces) {
        const part = piece === pieces[0] ? parts[index] : undefined;
        if (piece.length > 0) next.push(fill(part, piece, next.at(-1)));
        else part?.box.remove();
      }
    });
    parts = next;
    places.clear();
    parts.forEach(({ blocks }, at) => {
      for (const block of blocks) places.set(block, at);
    });
    open();
  };

  const fill = (part: Part | undefined, blocks: readonly Block[], before: Part | undefined): Part => {
    if (part?.blocks.length === blocks.length && blocks.every((block, index) => block === part.blocks[index]))
      return part;
    const { box, slot } = part ?? { box: document.createElement('div'), slot: document.createElement('slot') };
    if (!part) {
      box.append(slot);
      if (before) before.box.after(box);
      else whole.prepend(box);
    }
    slot.assign(...blocks);
    Object.assign(box.style, {
      display: 'flow-root',
      contentVisibility: opened.has(box) ? 'visible' : 'auto',
      // Until it is laid out; then the browser remembers.
      containIntrinsicBlockSize: `auto ${blocks.reduce((sum, { textContent }) => sum + heightOf(textContent), 0)}px`,
      // Room for the outline of what is selected, which would be cut off at the box's edge.
      padding: '0 .5rem .5rem',
      margin: '0 -.5rem -.5rem',
    });
    return { box, slot, blocks };
  };

  /** The keys take the cursor into no part that is skipped: before they go anywhere, what is near is opened, and both ends. */
  const open = (wide = false) => {
    const wanted = new Set(wide ? [0, parts.length - 1] : []);
    const { anchor, head } = view.state.selection;
    for (const pos of new Set([anchor, head])) {
      const at = places.get(blockAt(view, pos) as Node) ?? 0;
      wanted.add(at);
      if (wide) wanted.add(at - 1).add(at + 1);
    }
    const shown = new Set([...wanted].flatMap((at) => parts[at]?.box ?? []));
    for (const box of opened) if (!shown.has(box)) box.style.contentVisibility = 'auto';
    for (const box of shown) if (!opened.has(box)) box.style.contentVisibility = 'visible';
    opened = shown;
  };

  page.attachShadow({ mode: 'open', slotAssignment: 'manual' }).append(whole);
  // One whole, editable as the text is: without it what is marked ends where a part does. Without a box of its own:
  // what has one and is editable takes the focus, which is the text's own.
  Object.assign(whole.style, { display: 'contents', webkitUserModify: 'inherit' });
  // Beside what the editor tells of: what the browser itself puts in, while it composes for one.
  const changes = new MutationObserver(arrange);
  changes.observe(page, { childList: true });
  arrange([]);
  return {
    /** Shows blocks that are new: at once, because the cursor may be in them. */
    follow() {
      const records = changes.takeRecords();
      if (records.length > 0) arrange(records);
      else open();
    },
    open,
  };
}

/** The child of the editor's element that holds a position. */
function blockAt(view: EditorView, pos: number): Node | null {
  const { node, offset } = view.domAtPos(pos);
  let block = node === view.dom ? (node.childNodes[offset] ?? null) : node;
  while (block && block.parentNode !== view.dom) block = block.parentNode;
  return block;
}

/** Lines of 70 letters. */
const heightOf = (text: string | null) => 30 * Math.ceil((text?.length ?? 0) / 70) + 30;

/** Only behind paragraphs, which have no margin below that would meet the next block's. */
function cutUp(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [[]];
  for (const block of blocks) {
    const last = parts.at(-1) ?? [];
    if (last.length >= PART && last.at(-1)?.nodeName === 'P') parts.push([block]);
    else last.push(block);
  }
  return parts;
}
