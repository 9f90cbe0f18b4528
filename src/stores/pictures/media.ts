import { type Progress, uploadFile } from '#backend/browser.ts';
import { faultOf } from '#blog/errors.ts';
import { fileUrl, imageType } from '#blog/images.ts';
import { formText, uploadMessage } from '#blog/messages.ts';
import { requireSession } from '../account/auth.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { currentSite } from '../site.ts';

export type { Progress } from '#backend/browser.ts';

export interface StoredPicture {
  readonly id: string;
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export interface PictureUpload {
  readonly userId: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Stops the upload and removes the uploaded part. */
  readonly signal?: AbortSignal;
}

/**
 * Returns a message if the file's first bytes are not those of a supported picture format. `prepared` finds other
 * problems. Never throws.
 */
export async function pictureFault(file: File): Promise<string | undefined> {
  const start = await file
    .slice(0, 16)
    .arrayBuffer()
    .catch(() => undefined);
  if (!start) return prepared(file).then(() => undefined, uploadMessage);
  return imageType(new Uint8Array(start)) ? undefined : formText.imageType;
}

const preparer = () => importWithRetry(() => import('./prepare-picture.ts'));

/** Preloads the code that prepares pictures, so that it is available if the connection is lost later. */
export const expectPictures = (): Promise<unknown> => preparer().catch(() => {});

/** Returns the prepared version of `file`, which is uploaded in its place (`prepare-picture.ts`). */
export async function prepared(file: File): Promise<File> {
  return (await (await preparer()).preparePicture(file)).file;
}

/** Uploads a picture, readable only by its author until publication. @throws errors that `uploadMessage` describes */
export async function uploadPicture(file: File, { userId, ...options }: PictureUpload): Promise<StoredPicture> {
  const { preparePicture } = await preparer();
  const { file: ready, width, height } = await preparePicture(file);
  options.signal?.throwIfAborted();
  const id = await uploadFile(ready, { userId, ...options }).catch(async (error: unknown) => {
    if (faultOf(error).code === 401) await requireSession(userId);
    throw error;
  });
  // Content refers to pictures by this site's own URLs, which stay valid when the backend's URL changes.
  return { id, src: fileUrl({ ...currentSite(), endpoint: '/v1' }, id, 'view'), width, height };
}
