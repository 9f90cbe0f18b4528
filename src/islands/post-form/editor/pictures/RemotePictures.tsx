/** Loads and shows the question about pasted pictures of other sites. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { useEffect } from 'react';
import { TryAgain } from '../../lazy/TryAgain.tsx';
import { useLazyComponent } from '../../lazy/use-lazy-component.ts';
import { addressesIn } from './find-pictures.ts';
import { removePicture } from './picture-plugin.ts';
import type { Pictures } from './use-pictures.ts';

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
  // The pictures keep their address until the question is answered.
  const { Component: RemotePictureQuestion, retry } = useLazyComponent(
    true,
    () => import('./RemotePictureQuestion.tsx'),
    'RemotePictureQuestion',
  );
  const remove = (address: string) => removePicture(view, address);
  if (none) return null;
  if (retry) return <TryAgain onAgain={retry} />;
  return (
    RemotePictureQuestion && (
      <RemotePictureQuestion view={view} queue={queue} addresses={here} remove={remove} onAnswer={decided} />
    )
  );
}
