import { closeHistory } from '@milkdown/kit/prose/history';
import type { EditorView } from '@milkdown/kit/prose/view';
import { parseContent } from '../html/parse.ts';
import { serializeCanonical, serializeContent } from '../html/serialize.ts';
import { withoutGapParagraph } from '../keys/gap-paragraph.ts';
import { withAddresses, withoutLocal } from '../pictures/picture-plugin.ts';
import type { SourceHandle } from './SourceView.tsx';

export type CurrentHtml = ReturnType<typeof createCurrentHtml>;

export function createCurrentHtml() {
  const ref: { current: SourceHandle | null } = { current: null };
  /** Original HTML of each version loaded into the editor, keyed by its canonical HTML. */
  const letters = new Map<string, string>();

  const given = (view: EditorView, html: string) => {
    // Ignores HTML with local pictures, because their URLs must not be stored.
    if (withoutLocal(html) === html) letters.set(serializeCanonical(view.state.doc), html);
  };
  const put = (view: EditorView, html: string) => {
    const { doc, schema, tr } = view.state;
    view.dispatch(closeHistory(tr).replaceWith(0, doc.content.size, parseContent(schema, html).content));
    given(view, html);
  };
  return {
    ref,
    given,
    /** Returns the HTML to store. With `whole`, includes pictures that have not been uploaded yet, as object URLs. */
    html: (view: EditorView, whole = false): string => {
      if (ref.current) return ref.current.html();
      const doc = withoutGapParagraph(view.state);
      const now = serializeContent(doc);
      return letters.get(serializeCanonical(doc)) ?? (whole ? withAddresses(now) : withoutLocal(now));
    },
    /** Replaces the text with `html` in one undo step. */
    replace: (view: EditorView, html: string) => {
      put(view, html);
      ref.current?.replace(html);
    },
    apply: (view: EditorView) => {
      if (!ref.current?.changed()) return;
      const html = ref.current.html();
      put(view, html);
      ref.current.replace(html);
    },
  };
}
