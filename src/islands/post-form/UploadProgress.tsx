/** How far an upload is: a bar, the percent, the bytes and the chunks (spec 7, "Files"). */

import type { Progress } from '#stores/post-actions.ts';

export function UploadProgress({ progress, label }: { progress: Progress; label: string }) {
  const { percent, bytes, totalBytes, chunks, totalChunks } = progress;
  const inChunks = totalChunks > 1 ? ` · part ${chunks} of ${totalChunks}` : '';
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label={label}
        value={percent}
        max={100}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p className="text-xs text-soft tabular-nums">
        {percent} % · {megabytes(bytes)} of {megabytes(totalBytes)} MB{inChunks}
      </p>
    </div>
  );
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
