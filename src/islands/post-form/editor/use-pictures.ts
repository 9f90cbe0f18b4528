/** The pictures of one editor: those on their way, and those of other sites that came with a paste. */

import { useCallback, useEffect, useMemo, useState } from 'react';
import { editorText } from '#blog/editor-text.ts';
import { $auth } from '#stores/auth.ts';
import { pictureFault, uploadPicture } from '#stores/media.ts';
import { picturePlugin } from './pictures.ts';
import { obstacle, PictureTray } from './tray.ts';

/** `userId` will own the files. `announce` says to those who do not see it what begins, fails and has arrived. */
export function usePictures(userId: string, announce: (words: string) => void) {
  const [fault, setFault] = useState('');
  const [underway, setUnderway] = useState('');
  const [unsent, setUnsent] = useState<string>();
  const [foreign, setForeign] = useState<readonly string[]>([]);
  const { tray, plugin } = useMemo(() => {
    const tray = new PictureTray({
      upload: (file, options) => uploadPicture(file, { userId, ...options }),
      faultOf: pictureFault,
      refuse: setFault,
    });
    const onForeign = (found: readonly string[]) => setForeign((before) => [...new Set([...before, ...found])]);
    return { tray, plugin: picturePlugin({ tray, onForeign }) };
  }, [userId]);
  useEffect(() => {
    let before = 0;
    return tray.listen((address) => {
      const stage = tray.stageOf(address);
      const { pictures, percent } = tray.underway();
      const words = pictures > 0 ? editorText.underway(pictures, percent) : '';
      setUnderway(words);
      setUnsent(obstacle(tray.unsent()));
      if (stage?.name === 'failed') announce(`${tray.labelOf(address)}: ${stage.message}`);
      // So another attempt that fails the same is said again.
      else if (before === 0 && pictures > 0) announce(words);
      else if (before > 0 && pictures === 0 && stage?.name === 'stored') announce(editorText.arrived);
      before = pictures;
    });
  }, [tray, announce]);
  // Signed in again, the writer need not press Retry on each.
  useEffect(
    () =>
      $auth.listen(({ user }, before) => {
        if (user?.id === userId && before?.user?.id !== userId) tray.retryFailed();
      }),
    [tray, userId],
  );
  return {
    tray,
    plugin,
    /** Which files are no pictures, in words. */
    fault,
    /** Says something else in the place of the fault. */
    tell: setFault,
    /** How many are on their way, in words; empty when none is. The place in the text may be out of sight. */
    underway,
    /** What stands in the way of saving, in words, when some could not be uploaded. */
    unsent,
    /** Addresses on other sites that the writer has yet to decide about. */
    foreign,
    decided: useCallback(() => setForeign([]), []),
  };
}

export type Pictures = ReturnType<typeof usePictures>;
