import type { Node } from '@milkdown/kit/prose/model';

interface PlacedPicture {
  readonly node: Node;
  readonly pos: number;
}

export const isPicture = ({ type }: Node): boolean => type.name === 'image' || type.name === 'figure';

export const addressesIn = (doc: Node): Set<string> =>
  new Set(picturesOf(doc).map(({ node }) => String(node.attrs.src)));

/** Blocks are immutable, so only the edited one is searched again. */
const ofBlock = new WeakMap<Node, readonly PlacedPicture[]>();
const ofText = new WeakMap<Node, readonly PlacedPicture[]>();

export function picturesOf(doc: Node): readonly PlacedPicture[] {
  const known = ofText.get(doc);
  if (known) return known;
  const pictures: PlacedPicture[] = [];
  doc.forEach((block, offset) => {
    for (const { node, pos } of picturesIn(block)) pictures.push({ node, pos: offset + pos });
  });
  ofText.set(doc, pictures);
  return pictures;
}

/** Positions are relative to the block. */
function picturesIn(block: Node): readonly PlacedPicture[] {
  const known = ofBlock.get(block);
  if (known) return known;
  const pictures: PlacedPicture[] = isPicture(block) ? [{ node: block, pos: 0 }] : [];
  block.descendants((node, pos) => {
    if (isPicture(node)) pictures.push({ node, pos: pos + 1 });
  });
  ofBlock.set(block, pictures);
  return pictures;
}
