/**
 * Long texts are laid out in parts (decision 021): the blocks stay side by side in the document, for the editor and for
 * whoever reads it, and a shadow tree gathers some at a time into boxes that the browser skips while they are out of
 * view. Without it each letter costs a walk through all text before it.
 */

import { Plugin } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';

/** Blocks. Shorter texts cost little as they are. */
const LONG = 120;
/** Blocks of a part at first; one that has grown to three times as many is cut. */
const PART = 10;

/** First of all plugins: what others measure has to be laid out. */
export const longText = $prose(() => {
  let parts: Parts | undefined;
  return new Plugin({
    view: (view) => {
      // Tested in Chromium (which alone has edit contexts) and with its keyboards; others lay out the whole.
      if (!('EditContext' in window) || !matchMedia('(pointer: fine)').matches) return {};
      const follow = () => {
        if (parts) parts.follow(view);
        else if (view.dom.childElementCount > LONG) parts = new Parts(view);
      };
      if (parts) parts.start(view);
      else follow();
      return { update: follow, destroy: () => parts?.stop() };
    },
    props: {
      handleDOMEvents: {
        keydown: (view, { key, ctrlKey, metaKey }) => {
          if (key.length > 1 || ctrlKey || metaKey) parts?.open(view, true);
          return false;
        },
      },
    },
  });
});

interface Part {
  readonly box: HTMLElement;
  readonly slot: HTMLSlotElement;
  blocks: Block[];
}
type Block = Element | Text;

class Parts {
  readonly #page: HTMLElement;
  /** Around all parts. */
  readonly #whole = document.createElement('div');
  readonly #changes: MutationObserver;
  readonly #places = new Map<Node, number>();
  #parts: Part[] = [];

  constructor(view: EditorView) {
    this.#page = view.dom;
    view.dom.attachShadow({ mode: 'open', slotAssignment: 'manual' }).append(this.#whole);
    // One whole, editable as the text is: without it what is marked ends where a part does.
    this.#whole.style.setProperty('-webkit-user-modify', 'inherit');
    // What has a box and is editable takes the focus, which is the text's own.
    this.#whole.style.display = 'contents';
    // Beside what the editor tells of: what the browser itself puts in, while it composes for one.
    this.#changes = new MutationObserver((records) => this.#arrange(records, view));
    this.start(view);
  }

  start(view: EditorView): void {
    this.#changes.observe(this.#page, { childList: true });
    this.#arrange([], view);
  }

  /** Shows blocks that are new: at once, because the cursor may be in them. */
  follow(view: EditorView): void {
    const records = this.#changes.takeRecords();
    if (records.length > 0) this.#arrange(records, view);
    else this.open(view);
  }

  /** The keys take the cursor into no part that is skipped: before they go anywhere, what is near is opened, and both ends. */
  open(view: EditorView, wide = false): void {
    const { anchor, head } = view.state.selection;
    const open = new Set(wide ? [0, this.#parts.length - 1] : []);
    for (const pos of new Set([anchor, head])) {
      const at = this.#places.get(this.#blockAt(view, pos) as Node) ?? 0;
      for (const place of wide ? [at - 1, at, at + 1] : [at]) open.add(place);
    }
    this.#parts.forEach(({ box }, place) => {
      const wanted = open.has(place) ? 'visible' : 'auto';
      if (box.style.contentVisibility !== wanted) box.style.contentVisibility = wanted;
    });
  }

  #blockAt(view: EditorView, pos: number): Node | null {
    const { node, offset } = view.domAtPos(pos);
    if (node === this.#page) return node.childNodes[offset] ?? null;
    let block: Node | null = node;
    while (block && block.parentNode !== this.#page) block = block.parentNode;
    return block;
  }

  stop(): void {
    this.#changes.disconnect();
  }

  /** Each block stays in its part; a new one goes into that of the block before it. */
  #arrange(records: readonly MutationRecord[], view: EditorView): void {
    const moved = new Set(records.flatMap(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes]));
    for (const block of moved) this.#places.delete(block);
    const lists: Block[][] = this.#parts.length > 0 ? this.#parts.map(() => []) : [[]];
    let place = 0;
    for (const block of this.#page.childNodes as NodeListOf<Block>) {
      place = Math.max(place, this.#places.get(block) ?? place);
      lists[place]?.push(block);
    }
    const next: Part[] = [];
    lists.forEach((blocks, index) => {
      const part = this.#parts[index];
      // While an input method composes nothing under it is built anew.
      const cut = blocks.length <= 3 * PART || view.composing ? [blocks] : cutUp(blocks);
      cut.forEach((some, piece) => {
        if (some.length > 0) next.push(this.#fill(piece === 0 && part ? part : this.#add(next.at(-1)), some));
      });
      if (blocks.length === 0) part?.box.remove();
    });
    this.#parts = next;
    this.#places.clear();
    next.forEach(({ blocks }, at) => {
      for (const block of blocks) this.#places.set(block, at);
    });
    this.open(view);
  }

  #add(before: Part | undefined): Part {
    const box = document.createElement('div');
    const slot = document.createElement('slot');
    box.append(slot);
    if (before) before.box.after(box);
    else this.#whole.prepend(box);
    return { box, slot, blocks: [] };
  }

  #fill(part: Part, blocks: Block[]): Part {
    const same = part.blocks.length === blocks.length && part.blocks.every((block, index) => block === blocks[index]);
    if (same) return part;
    part.slot.assign(...blocks);
    part.blocks = blocks;
    Object.assign(part.box.style, {
      display: 'flow-root',
      // Until it is laid out: lines of 70 letters. Then the browser remembers.
      containIntrinsicBlockSize: `auto ${blocks.reduce((sum, { textContent }) => sum + heightOf(textContent), 0)}px`,
      // Room for the outline of what is selected, which would be cut off at the box's edge.
      padding: '0 0.5rem 0.5rem',
      margin: '0 -0.5rem -0.5rem',
    });
    return part;
  }
}

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
