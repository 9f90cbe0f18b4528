import { useRef, useState } from 'react';
import { isUnreachable } from '#blog/errors.ts';
import { uploadMessage } from '#blog/messages.ts';
import { pictureFault, prepared } from '#stores/pictures/media.ts';

export interface PickedImage {
  readonly file?: File | undefined;
  readonly fault?: string | undefined;
  readonly busy?: boolean;
}

export type ImageChoice = ReturnType<typeof usePickedImage>;

export function usePickedImage(initial: File | undefined, onPick: () => void) {
  const [picked, setPicked] = useState<PickedImage>({ file: initial });
  const latest = useRef({ picked, work: Promise.resolve(), turn: 0 }).current;

  const show = (now: PickedImage) => {
    latest.picked = now;
    setPicked(now);
  };
  /** Replaces the current choice, even a pending one. */
  const set = (now: PickedImage) => {
    latest.turn += 1;
    show(now);
  };
  const read = async (file: File) => {
    // Keeps the previous picture in case the new one is refused.
    const former = latest.picked.file;
    set({ file: former, busy: true });
    const { turn } = latest;
    const next = (now: PickedImage) => {
      if (turn !== latest.turn) return false;
      show(now);
      onPick();
      return true;
    };
    const fault = await pictureFault(file);
    if (!next(fault ? { file: former, fault } : { file, busy: true }) || fault) return;
    // Shows the prepared file instead of the original, because the prepared one will be sent.
    next(
      await prepared(file).then(
        (ready) => ({ file: ready }),
        // Keeps the file if the code that prepares pictures did not load, because saving loads that code again.
        (error: unknown) => (isUnreachable(error) ? { file } : { file: former, fault: uploadMessage(error) }),
      ),
    );
  };
  return {
    picked,
    set,
    choose: (file: File) => {
      latest.work = read(file);
    },
    settled: async () => {
      await latest.work;
      return latest.picked;
    },
  };
}
