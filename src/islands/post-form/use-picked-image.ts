/** The featured image that a writer chooses: its type read, made ready, and waited for by whoever sends the form. */

import { useRef, useState } from 'react';
import { isUnreachable, uploadMessage } from '#blog/messages.ts';
import { pictureFault, prepared } from '#stores/media.ts';

export interface PickedImage {
  readonly file?: File | undefined;
  /** What is wrong with what was chosen, in words. */
  readonly fault?: string | undefined;
  /** It is being looked at, or made ready. */
  readonly busy?: boolean;
}

export interface ImageChoice {
  readonly picked: PickedImage;
  readonly choose: (file: File) => void;
  /** In place of whatever is being chosen. */
  readonly set: (picked: PickedImage) => void;
  /** What has been chosen, when nothing of it is under way any more. */
  readonly settled: () => Promise<PickedImage>;
}

/** `onPick` is called with each change that the writer made. */
export function usePickedImage(onPick: () => void): ImageChoice {
  const [picked, setPicked] = useState<PickedImage>({});
  const latest = useRef({ picked, work: Promise.resolve(), turn: 0 }).current;

  const show = (now: PickedImage) => {
    latest.picked = now;
    setPicked(now);
  };
  const set = (now: PickedImage) => {
    latest.turn += 1;
    show(now);
  };
  const read = async (file: File) => {
    set({ file: latest.picked.file, busy: true });
    const { turn } = latest;
    // Chosen anew meanwhile, it is no matter any more.
    const next = (now: PickedImage) => {
      if (turn !== latest.turn) return false;
      show(now);
      onPick();
      return true;
    };
    const fault = await pictureFault(file);
    if (!next(fault ? { fault } : { file, busy: true }) || fault) return;
    // What is sent is what is shown.
    next(
      await prepared(file).then(
        (ready) => ({ file: ready }),
        // Its part of the page did not come: saving prepares it then.
        (error: unknown) => (isUnreachable(error) ? { file } : { fault: uploadMessage(error) }),
      ),
    );
  };
  return {
    picked,
    set,
    choose: (file) => {
      latest.work = read(file);
    },
    settled: async () => {
      await latest.work;
      return latest.picked;
    },
  };
}
