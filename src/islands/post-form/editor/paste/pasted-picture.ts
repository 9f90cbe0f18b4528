/** Finds the files of pasted pictures with local URLs (`file:`, `blob:`, `cid:`). Loaded on the first such paste. */

import { DomainError } from '#blog/errors.ts';
import { pictureText } from '#blog/messages.ts';
import { picturesOfRtf } from './rtf.ts';

export interface PictureSource {
  readonly rtf: string;
  readonly files: readonly File[];
  readonly pictures: readonly string[];
  readonly onlyPicture: boolean;
}

const rtfPictures = new WeakMap<PictureSource, readonly (File | undefined)[]>();

/** Returns the picture's file. @throws DomainError if only the application or page it was copied from can read it */
export async function pastedPicture(address: string, source: PictureSource): Promise<File> {
  const file = address.startsWith(`blob:${location.origin}/`) ? await drawn(address) : pictureOfSource(address, source);
  if (file) return file;
  throw new DomainError('no-picture', pictureText.onlyThere);
}

/**
 * Returns the RTF picture at the same position if RTF and HTML contain the same number of pictures. Otherwise, returns
 * the pasted file if the picture is all that was pasted.
 */
function pictureOfSource(address: string, source: PictureSource): File | undefined {
  const { rtf, files, pictures, onlyPicture } = source;
  const inRtf = rtfPictures.get(source) ?? picturesOfRtf(rtf);
  rtfPictures.set(source, inRtf);
  const unread = pictures.filter((each) => !/^(https?|data|blob):/i.test(each));
  const among = [unread, pictures].find(({ length }) => length === inRtf.length);
  return inRtf[among?.indexOf(address) ?? -1] ?? (onlyPicture ? files[0] : undefined);
}

/** Redraws a picture from another page of this site, because the CSP forbids fetching it. */
async function drawn(address: string): Promise<File | undefined> {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
  } catch {
    return undefined;
  }
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  return blob ? new File([blob], 'pasted.png', { type: blob.type }) : undefined;
}
