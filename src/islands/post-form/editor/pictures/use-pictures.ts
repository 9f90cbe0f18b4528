import { useEffect, useMemo, useState } from 'react';
import { IMAGE_ACCEPT } from '#blog/images.ts';
import { editorText } from '#blog/messages/editor.ts';
import { $auth } from '#stores/account/auth.ts';
import { pictureFault, uploadPicture } from '#stores/pictures/media.ts';
import { picturePlugin } from './picture-plugin.ts';
import { UploadQueue, unsentMessage } from './upload-queue.ts';

/** Uploads the text's pictures as `userId`. `announce` tells screen readers when uploads start, fail and end. */
export function usePictures(userId: string, announce: (words: string) => void) {
  const [fault, setFault] = useState('');
  const [underway, setUnderway] = useState('');
  const [unsent, setUnsent] = useState<string>();
  const [remote, setRemote] = useState<readonly string[]>([]);
  const { queue, plugin } = useMemo(() => {
    const queue = new UploadQueue({
      upload: (file, options) => uploadPicture(file, { userId, ...options }),
      faultOf: pictureFault,
      refuse: setFault,
    });
    const onRemote = (found: readonly string[]) => setRemote((before) => [...new Set([...before, ...found])]);
    return { queue, plugin: picturePlugin(queue, onRemote) };
  }, [userId]);
  useEffect(() => {
    let before = 0;
    return queue.listen((address) => {
      const { stage, label } = queue.uploadOf(address) ?? {};
      const { pictures, percent } = queue.underway();
      const several = pictures > 0 ? editorText.underway({ count: pictures }) : '';
      const words = percent === undefined ? several : editorText.underwayPercent({ percent });
      setUnderway(words);
      setUnsent(unsentMessage(queue.unsent()));
      if (stage?.name === 'failed') announce(`${label}: ${stage.message}`);
      // For parallel uploads, announces only the first start and the last success, but every failure.
      else if (before === 0 && pictures > 0) announce(words);
      else if (before > 0 && pictures === 0 && stage?.name === 'stored') announce(editorText.arrived);
      before = pictures;
    });
  }, [queue, announce]);
  useEffect(
    () =>
      $auth.listen(({ user }, before) => {
        if (user?.id === userId && before?.user?.id !== userId) queue.retryFailed();
      }),
    [queue, userId],
  );
  return {
    queue,
    plugin,
    fault,
    setFault,
    underway,
    unsent,
    remote,
    decided: () => setRemote([]),
  };
}

export type Pictures = ReturnType<typeof usePictures>;

export function pickPictures(onPicked: (files: readonly File[]) => void): void {
  // Creates the input outside the form, because the form's only file input must be that of the featured image.
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    multiple: true,
    accept: IMAGE_ACCEPT,
    hidden: true,
  });
  input.onchange = () => {
    input.remove();
    onPicked([...(input.files ?? [])]);
  };
  input.oncancel = () => input.remove();
  // Keeps the input in the page, because browsers might otherwise garbage-collect it before files are chosen.
  document.body.append(input);
  input.click();
}
