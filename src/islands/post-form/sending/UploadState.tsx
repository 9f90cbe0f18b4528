import { sendingText } from '#blog/messages/sending.ts';
import { pictureText, progressLine } from '#blog/messages.ts';
import { Button } from '#components/controls/Button.tsx';
import type { Upload } from './use-sending.tsx';

export function UploadState({ upload: { progress, failed, cancel }, busy }: { upload: Upload; busy: boolean }) {
  if (busy && progress)
    return (
      <div className="grid gap-1.5">
        <progress
          aria-label={sendingText.featuredUpload}
          value={progress.percent}
          max={100}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size]"
        />
        <div className="flex items-center justify-between gap-3">
          <p className="text-xs text-soft tabular-nums">{progressLine(progress)}</p>
          {cancel && (
            <Button tone="quiet" onClick={cancel}>
              {pictureText.cancel}
            </Button>
          )}
        </div>
      </div>
    );
  if (busy || !failed) return null;
  return (
    <div className="grid justify-items-start gap-2 rounded-md border border-danger p-3">
      <p className="text-sm text-danger">{sendingText.featuredLost}</p>
      <Button type="submit" tone="quiet">
        {pictureText.retry}
      </Button>
    </div>
  );
}
