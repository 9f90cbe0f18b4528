/** How far an upload is (spec 7, "Files"), and a way to stop it. */

import { pictureText, progressLine } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import type { Progress } from '#stores/post-actions.ts';

interface UploadProgressProps {
  readonly progress: Progress;
  readonly label: string;
  /** Absent when there is nothing left to stop. */
  readonly onCancel?: (() => void) | undefined;
}

export function UploadProgress({ progress, label, onCancel }: UploadProgressProps) {
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label={label}
        value={progress.percent}
        max={100}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-soft tabular-nums">{progressLine(progress)}</p>
        {onCancel && (
          <Button tone="quiet" onClick={onCancel}>
            {pictureText.cancel}
          </Button>
        )}
      </div>
    </div>
  );
}
