import type { Node } from '@milkdown/kit/prose/model';

interface PlacedPicture {
  readonly node: Node;
  readonly pos: number;
}

export const isPicture = ({ type }: Node): boolean => type.name === 'image' || type.name === 'figure';

export const addressesIn = (doc: Node): Set<string> =>
  new Set(picturesOf(doc).map(({ node }) => String(node.attrs.src)));

/** Pictures by document. Documents are immutable, so each one is searched only once. */
const found = new WeakMap<Node, readonly PlacedPicture[]>();

export function picturesOf(doc: Node): readonly PlacedPicture[] {
  const known = found.get(doc);
  if (known) return known;
  const pictures: PlacedPicture[] = [];
  doc.descendants((node, pos) => {
    if (isPicture(node)) pictures.push({ node, pos });
  });
  found.set(doc, pictures);
  return pictures;
}
