/** The text as stored HTML: given back to the letter as long as it says the same, and taken from the source view. */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { EditorView } from '@milkdown/kit/prose/view';
import { withoutOpenedLine } from './opened-line.ts';
import { withAddresses, withoutLocal } from './pictures.ts';
import type { SourceHandle } from './source/SourceView.tsx';
import { readStored, writeAnew, writeStored } from './stored.ts';

export interface TextSource {
  /** For the source view while it is shown. */
  readonly ref: { current: SourceHandle | null };
  /** The document of `view` was made of `html`. */
  given(view: EditorView, html: string): void;
  /** `whole`: with the pictures that are not uploaded yet, by addresses of this page (`local-pictures.ts`). */
  html(view: EditorView, whole?: boolean): string;
  /** Puts `html` in the place of the text: one step, which can be undone. */
  replace(view: EditorView, html: string): void;
  /** Brings the text up to date with the source view, if that was changed. */
  apply(view: EditorView): void;
}

export function createTextSource(): TextSource {
  const ref: TextSource['ref'] = { current: null };
  /** What the editor writes of a text → the text as it was given. */
  const letters = new Map<string, string>();

  const given = (view: EditorView, html: string) => {
    // Never given back to the letter: addresses of this page mean nothing elsewhere.
    if (withoutLocal(html) === html) letters.set(writeAnew(view.state.doc), html);
  };
  const put = (view: EditorView, html: string) => {
    const { doc, schema, tr } = view.state;
    view.dispatch(closeHistory(tr).replaceWith(0, doc.content.size, readStored(schema, html).content));
    given(view, html);
  };
  return {
    ref,
    given,
    html: (view, whole = false) => {
      if (ref.current) return ref.current.html();
      const doc = withoutOpenedLine(view.state);
      const now = writeStored(doc);
      return letters.get(writeAnew(doc)) ?? (whole ? withAddresses(now) : withoutLocal(now));
    },
    replace: (view, html) => {
      put(view, html);
      ref.current?.replace(html);
    },
    apply: (view) => {
      if (!ref.current?.changed()) return;
      const html = ref.current.html();
      put(view, html);
      ref.current.replace(html);
    },
  };
}
