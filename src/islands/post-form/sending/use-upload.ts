import { useRef, useState } from 'react';
import type { Progress, Sending } from '#stores/posts/post-actions.ts';

export type Upload = ReturnType<typeof useUpload>;

export function useUpload() {
  const [progress, setProgress] = useState<Progress>();
  const [failed, setFailed] = useState(false);
  const running = useRef<{ abort: AbortController; last?: Progress }>(undefined);
  return {
    progress,
    failed,
    cancel: progress && progress.percent < 100 ? () => running.current?.abort.abort() : undefined,
    begin: (): Sending => {
      const now: typeof running.current = { abort: new AbortController() };
      running.current = now;
      setFailed(false);
      const onProgress = (told: Progress) => {
        now.last = told;
        setProgress(told);
      };
      return { onProgress, signal: now.abort.signal };
    },
    /** Hides the progress after a failed save. Returns true if the writer stopped the upload. */
    ended: () => {
      const { abort, last } = running.current ?? {};
      const stopped = abort?.signal.aborted === true;
      setProgress(undefined);
      setFailed(last !== undefined && last.percent < 100 && !stopped);
      return stopped;
    },
  };
}
