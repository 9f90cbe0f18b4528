/** Each block runs in the direction of its own words (`dir="auto"`), as it will on the page. */

import type { Node } from '@milkdown/kit/prose/model';
import { Plugin, PluginKey, type Transaction } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';

const key = new PluginKey<DecorationSet>('DIRECTION');

export const direction = $prose(
  () =>
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => DecorationSet.create(doc, directed(doc, 0, doc.content.size)),
        apply: (tr, before) => (tr.docChanged ? renewed(tr, before) : before),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
);

/** These run as their first words do: bullets, borders and cells stand on the right side. */
const AROUND = new Set(['list_item', 'blockquote', 'table_cell', 'table_header']);

function directed(doc: Node, from: number, to: number): Decoration[] {
  const found: Decoration[] = [];
  doc.nodesBetween(from, to, (node, pos, parent, index) => {
    // With a `dir` of its own the first block would not count for what is around it.
    const speaksForItsParent = index === 0 && parent && AROUND.has(parent.type.name);
    const own = node.isTextblock && !node.type.spec.code && !speaksForItsParent;
    if (own || AROUND.has(node.type.name)) found.push(Decoration.node(pos, pos + node.nodeSize, { dir: 'auto' }));
    return !node.isTextblock;
  });
  return found;
}

/** Only the outermost blocks that were changed are looked at again: a long text stays quick to write in. */
function renewed(tr: Transaction, before: DecorationSet): DecorationSet {
  const kept = before.map(tr.mapping, tr.doc);
  const [from, to] = changedBlocks(tr);
  const old = kept.find(from, to).filter((one) => one.from >= from && one.to <= to);
  return kept.remove(old).add(tr.doc, directed(tr.doc, from, to));
}

function changedBlocks({ mapping, doc }: Transaction): [from: number, to: number] {
  let [first, last] = [doc.content.size, 0];
  mapping.maps.forEach((map, index) => {
    const rest = mapping.slice(index + 1);
    map.forEach((_oldFrom, _oldTo, from, to) => {
      first = Math.min(first, rest.map(from, -1));
      last = Math.max(last, rest.map(to, 1));
    });
  });
  if (first > last) return [0, 0];
  const [$first, $last] = [doc.resolve(first), doc.resolve(last)];
  return [
    $first.depth > 0 ? $first.before(1) : first - ($first.nodeBefore?.nodeSize ?? 0),
    $last.depth > 0 ? $last.after(1) : last + ($last.nodeAfter?.nodeSize ?? 0),
  ];
}
