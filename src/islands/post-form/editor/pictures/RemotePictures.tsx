/** Loads and shows the question about pasted pictures of other sites; until it is answered they keep their address. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect } from 'react';
import { lazyPart } from '../../../lazy/lazy-part.tsx';
import { addressesIn } from './find-pictures.ts';
import { removePicture } from './picture-plugin.ts';
import type { Pictures } from './use-pictures.ts';

const RemotePictureQuestion = lazyPart(() => import('./RemotePictureQuestion.tsx'), 'RemotePictureQuestion');

export function RemotePictures({ view, pictures }: { readonly view: EditorView; readonly pictures: Pictures }) {
  const { remote, decided, queue } = pictures;
  const shown = addressesIn(view.state.doc);
  const here = remote.filter((address) => shown.has(address));
  const none = here.length === 0;
  useEffect(() => {
    if (!none) return;
    // The pictures are reported just before they are inserted.
    const timer = setTimeout(decided, 1000);
    return () => clearTimeout(timer);
  }, [none, decided]);
  const remove = (address: string) => removePicture(view, address);
  if (none) return null;
  return <RemotePictureQuestion view={view} queue={queue} addresses={here} remove={remove} onAnswer={decided} />;
}
