/** Under the button that sends the post, where it moves nothing: how far the featured image is, or that it was lost. */

import { pictureText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import type { Upload } from './use-upload.ts';

interface UploadStateProps {
  readonly upload: Upload;
  /** The post is being sent. */
  readonly busy: boolean;
}

export function UploadState({ upload, busy }: UploadStateProps) {
  return (
    <>
      {busy && upload.progress && (
        <UploadProgress progress={upload.progress} label={pictureText.featuredUpload} onCancel={upload.cancel} />
      )}
      {!busy && upload.failed && (
        <div className="grid justify-items-start gap-2 rounded-md border border-danger p-3">
          <p className="text-sm text-danger">{pictureText.featuredLost}</p>
          <Button type="submit" tone="quiet">
            {pictureText.retry}
          </Button>
        </div>
      )}
    </>
  );
}
