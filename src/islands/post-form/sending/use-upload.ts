import { useRef, useState } from 'react';
import type { Progress, Sending } from '#stores/posts/post-actions.ts';

export interface Upload {
  readonly progress: Progress | undefined;
  readonly failed: boolean;
  /** Stops the upload; undefined if there is nothing to stop. */
  readonly cancel: (() => void) | undefined;
  readonly begin: () => Sending;
  /** Ends the upload after a failed save. Returns true if the writer stopped it. */
  readonly ended: () => boolean;
}

export function useUpload(): Upload {
  const [progress, setProgress] = useState<Progress>();
  const [failed, setFailed] = useState(false);
  const running = useRef<{ abort: AbortController; sent: boolean; total: boolean }>(undefined);
  return {
    progress,
    failed,
    cancel: progress && progress.percent < 100 ? () => running.current?.abort.abort() : undefined,
    begin: () => {
      const now = { abort: new AbortController(), sent: false, total: false };
      running.current = now;
      setFailed(false);
      const onProgress = (told: Progress) => {
        now.sent = true;
        now.total = told.percent === 100;
        setProgress(told);
      };
      return { onProgress, signal: now.abort.signal };
    },
    ended: () => {
      const { abort, sent = false, total = false } = running.current ?? {};
      const stopped = abort?.signal.aborted === true;
      setProgress(undefined);
      setFailed(sent && !total && !stopped);
      return stopped;
    },
  };
}
