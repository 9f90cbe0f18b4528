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
  /** Stops the upload; what was sent is removed. */
  readonly signal?: AbortSignal;
}

/**
 * Returns what is wrong with a chosen file, as far as its first bytes tell; preparing it finds the rest. Undefined for
 * a picture. Never throws.
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

/** Loads the code that prepares pictures, while there is a connection. */
export const expectPictures = (): Promise<unknown> => preparer().catch(() => {});

/** The file that is uploaded in place of `file` (`prepare-picture.ts`). */
export async function prepared(file: File): Promise<File> {
  return (await (await preparer()).preparePicture(file)).file;
}

/**
 * Prepares and uploads a picture that only its author may see; publishing the post shares it. Retries on a bad
 * connection.
 * @throws what the backend threw, `SessionEnded` or `PictureRefused`; `uploadMessage` has the words.
 */
export async function uploadPicture(file: File, { userId, ...options }: PictureUpload): Promise<StoredPicture> {
  const { preparePicture } = await preparer();
  const { file: ready, width, height } = await preparePicture(file);
  options.signal?.throwIfAborted();
  const id = await uploadFile(ready, { userId, ...options }).catch(async (error: unknown) => {
    if (faultOf(error).code === 401) await requireSession(userId);
    throw error;
  });
  // Texts name pictures by this site's own address, wherever the backend is.
  return { id, src: fileUrl({ ...currentSite(), endpoint: '/v1' }, id, 'view'), width, height };
}
