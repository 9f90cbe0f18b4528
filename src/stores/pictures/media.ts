/** Pictures that a writer puts into a text. */

import { type Progress, uploadFile } from '#backend/browser.ts';
import { faultOf } from '#blog/errors.ts';
import { fileUrl, imageType } from '#blog/images.ts';
import { formText, uploadMessage } from '#blog/messages.ts';
import { requireSession } from '../account/auth.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { currentSite } from '../site.ts';

export type { Progress } from '#backend/browser.ts';

export interface StoredPicture {
  /** Of the stored file. */
  readonly id: string;
  /** The address to show it by. */
  readonly src: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PictureUpload {
  readonly userId: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the upload; what was sent of it is removed. */
  readonly signal?: AbortSignal;
}

/**
 * What is wrong with a chosen file at first sight; undefined for a picture. The rest is said when it is prepared. Never
 * throws: a file that cannot be read has the fault that preparing it finds.
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

/** Loads what prepares pictures, while there is a connection. */
export const expectPictures = (): Promise<unknown> => preparer().catch(() => {});

/** The file that is uploaded in place of `file` (`prepare-picture.ts`). */
export async function prepared(file: File): Promise<File> {
  return (await (await preparer()).preparePicture(file)).file;
}

/**
 * Prepares and uploads a picture for the author's eyes alone (publishing the post shares it). A bad connection is
 * waited out a few times. Throws what the backend threw, `SessionEnded` or `PictureRefused`; `uploadMessage` has the
 * words for it.
 */
export async function uploadPicture(file: File, { userId, ...options }: PictureUpload): Promise<StoredPicture> {
  const { preparePicture } = await preparer();
  const { file: ready, width, height } = await preparePicture(file);
  options.signal?.throwIfAborted();
  const id = await uploadFile(ready, { userId, ...options }).catch(async (error: unknown) => {
    if (faultOf(error).code === 401) await requireSession(userId);
    throw error;
  });
  // Texts name pictures by this site's own address, wherever the backend is today.
  return { id, src: fileUrl({ ...currentSite(), endpoint: '/v1' }, id, 'view'), width, height };
}
