/** The place where the writer is asked about pasted pictures of other sites; the question is loaded with the first. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect } from 'react';
import { TryAgain } from '../TryAgain.tsx';
import { removePicture } from './pictures.ts';
import { addressesIn } from './pictures-in-text.ts';
import { usePart } from './use-part.ts';
import type { Pictures } from './use-pictures.ts';

export function Elsewhere({ view, pictures }: { readonly view: EditorView; readonly pictures: Pictures }) {
  const { foreign, decided, tray } = pictures;
  const shown = addressesIn(view.state.doc);
  const here = foreign.filter((address) => shown.has(address));
  const none = here.length === 0;
  useEffect(() => {
    if (!none) return;
    // A paste tells of its pictures a moment before it puts them in.
    const timer = setTimeout(decided, 1000);
    return () => clearTimeout(timer);
  }, [none, decided]);
  // Until it is answered, they stay where they are.
  const { Part: Question, again } = usePart(true, () => import('./elsewhere/Question.tsx'), 'Question');
  const remove = (address: string) => removePicture(view, address);
  if (none) return null;
  if (again) return <TryAgain onAgain={again} />;
  return Question && <Question view={view} tray={tray} addresses={here} remove={remove} onAnswer={decided} />;
}
