/** Shows the upload progress of the featured image below the submit button, or its failure. */

import { sendingText } from '#blog/messages/sending.ts';
import { pictureText, progressLine } from '#blog/messages.ts';
import { Button } from '#components/controls/Button.tsx';
import type { Progress } from '#stores/posts/post-actions.ts';
import type { Upload } from './use-upload.ts';

interface UploadStateProps {
  readonly upload: Upload;
  readonly busy: boolean;
}

export function UploadState({ upload, busy }: UploadStateProps) {
  return (
    <>
      {busy && upload.progress && (
        <UploadProgress progress={upload.progress} label={sendingText.featuredUpload} onCancel={upload.cancel} />
      )}
      {!busy && upload.failed && (
        <div className="grid justify-items-start gap-2 rounded-md border border-danger p-3">
          <p className="text-sm text-danger">{sendingText.featuredLost}</p>
          <Button type="submit" tone="quiet">
            {pictureText.retry}
          </Button>
        </div>
      )}
    </>
  );
}

interface UploadProgressProps {
  readonly progress: Progress;
  readonly label: string;
  /** Stops the upload; undefined if there is nothing to stop. */
  readonly onCancel?: (() => void) | undefined;
}

function UploadProgress({ progress, label, onCancel }: UploadProgressProps) {
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
