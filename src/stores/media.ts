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
  return { src: fileUrl(currentSite(), id, 'view'), discard: () => deleteFile(id) };
}
