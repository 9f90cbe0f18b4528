/** Pictures that a paste names by an address of this device, got from where they can be had. Loaded with the first. */

import { pictureText } from '#blog/messages.ts';
import { PictureRefused } from '#stores/prepare-picture.ts';
import type { PictureSource } from '../pictures.ts';
import { picturesOfRtf } from './rtf.ts';

const found = new WeakMap<PictureSource, readonly (File | undefined)[]>();

/** @throws PictureRefused: it is only in the program or on the page that it comes from. */
export async function pastedPicture(address: string, source: PictureSource): Promise<File> {
  const file = address.startsWith(`blob:${location.origin}/`) ? await drawn(address) : held(address, source);
  if (file) return file;
  throw new PictureRefused(pictureText.onlyThere);
}

/** Without names that would tell which is which, it is the number of pictures that has to be the same. */
function held(address: string, source: PictureSource): File | undefined {
  const { rtf, files, pictures, onlyPicture } = source;
  const inRtf = found.get(source) ?? picturesOfRtf(rtf);
  found.set(source, inRtf);
  const unread = pictures.filter((each) => !/^(https?|data|blob):/i.test(each));
  const among = [unread, pictures].find(({ length }) => length === inRtf.length);
  return inRtf[among?.indexOf(address) ?? -1] ?? (onlyPicture ? files[0] : undefined);
}

/** A picture of another page of this site, as it is shown: its bytes are not for scripts, by the form's policy. */
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
