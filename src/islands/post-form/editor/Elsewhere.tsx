/** Asks what becomes of pasted pictures that lie on other sites: left there, or taken out. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect } from 'react';
import { editorText } from '#blog/editor-text.ts';
import { pictureText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { addressesIn, removePicture } from './pictures.ts';

interface ElsewhereProps {
  readonly view: EditorView;
  readonly addresses: readonly string[];
  /** The question is answered, or its pictures are gone. */
  readonly onDone: () => void;
}

export function Elsewhere({ view, addresses, onDone }: ElsewhereProps) {
  const shown = addressesIn(view.state.doc);
  const here = addresses.filter((address) => shown.has(address));
  const none = here.length === 0;
  useEffect(() => {
    if (!none) return;
    // A paste tells of its pictures a moment before it puts them in.
    const timer = setTimeout(onDone, 1000);
    return () => clearTimeout(timer);
  }, [none, onDone]);
  if (none) return null;

  const hosts = [...new Set(here.map((address) => new URL(address).hostname))];
  const answer = (act?: (address: string) => void) => () => {
    for (const address of act ? here : []) act?.(address);
    onDone();
    view.focus();
  };
  const { length } = here;
  return (
    <section aria-label={editorText.elsewhere} className="editor-question">
      <p role="alert">{pictureText.fromElsewhere(length, listed(hosts))}</p>
      <div>
        <Button tone="quiet" onClick={answer()}>
          {pictureText.keepThere(length)}
        </Button>
        <Button tone="quiet" onClick={answer((address) => removePicture(view, address))}>
          {pictureText.removeAll(length)}
        </Button>
      </div>
    </section>
  );
}

const listed = (hosts: readonly string[]): string =>
  hosts.length > 3 ? `${hosts.slice(0, 3).join(', ')} …` : hosts.join(', ');
