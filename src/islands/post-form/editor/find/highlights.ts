import { PluginKey } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet, type EditorView } from '@milkdown/kit/prose/view';
import { plugin } from '../plugins.ts';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const key = new PluginKey<DecorationSet>('HIGHLIGHTS');

export const highlights = plugin<DecorationSet>({
  key,
  state: {
    init: () => DecorationSet.empty,
    apply: (tr, shown) => (tr.getMeta(key) as DecorationSet | undefined) ?? shown.map(tr.mapping, tr.doc),
  },
  props: { decorations: (state) => key.getState(state) },
});

export function highlight(view: EditorView, places: readonly TextRange[], current = -1): void {
  if (view.isDestroyed) return;
  const marks = places.map(({ from, to }, index) =>
    Decoration.inline(from, to, { class: index === current ? 'found found-now' : 'found' }),
  );
  view.dispatch(view.state.tr.setMeta(key, DecorationSet.create(view.state.doc, marks)).setMeta('addToHistory', false));
}
