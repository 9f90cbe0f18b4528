/** Which pictures stand in a text, and where. */

import type { Node } from '@milkdown/kit/prose/model';

interface Placed {
  readonly node: Node;
  readonly pos: number;
}

export const isPicture = ({ type }: Node): boolean => type.name === 'image' || type.name === 'figure';

/** The addresses of all pictures in a text. */
export const addressesIn = (doc: Node): Set<string> =>
  new Set(picturesOf(doc).map(({ node }) => String(node.attrs.src)));

/** Nodes never change: of a long text only the block that is written in is looked through, and each text once. */
const ofBlock = new WeakMap<Node, readonly Placed[]>();
const ofText = new WeakMap<Node, readonly Placed[]>();

/** The pictures of a text, in order, and where each stands. */
export function picturesOf(doc: Node): readonly Placed[] {
  const known = ofText.get(doc);
  if (known) return known;
  const pictures: Placed[] = [];
  doc.forEach((block, offset) => {
    for (const { node, pos } of picturesIn(block)) pictures.push({ node, pos: offset + pos });
  });
  ofText.set(doc, pictures);
  return pictures;
}

/** As seen from the block. */
function picturesIn(block: Node): readonly Placed[] {
  const known = ofBlock.get(block);
  if (known) return known;
  const pictures: Placed[] = isPicture(block) ? [{ node: block, pos: 0 }] : [];
  block.descendants((node, pos) => {
    if (isPicture(node)) pictures.push({ node, pos: pos + 1 });
  });
  ofBlock.set(block, pictures);
  return pictures;
}
