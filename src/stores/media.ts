/** Pictures that a writer puts into a text. */

import { deleteFile, type Progress, uploadFile } from '#backend/browser.ts';
import { fileUrl } from '#blog/images.ts';
import { currentSite } from './site.ts';

/**
 * Uploads a picture for the author's eyes alone (publishing the post shares it) and gives the address to show it by.
 * Throws what the backend threw; `uploadMessage` has the words for it.
 */
export async function uploadPicture(
  file: File,
  userId: string,
  onProgress: (progress: Progress) => void,
): Promise<{ src: string; discard: () => Promise<boolean> }> {
  const id = await uploadFile(file, { userId, onProgress });
  // Texts name pictures by this site's own address, wherever the backend is today.
  return { src: fileUrl({ ...currentSite(), endpoint: '/v1' }, id, 'view'), discard: () => deleteFile(id) };
}
