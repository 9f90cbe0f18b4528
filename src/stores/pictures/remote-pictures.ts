/** Fetches pictures from other sites through this site's server, because CORS keeps browsers from reading them. */

import { DomainError } from '#blog/errors.ts';
import { remotePictureText } from '#blog/messages/remote-pictures.ts';
import { checkAgain } from '../account/auth.ts';
import { send } from '../send.ts';
import { drawPicture } from './prepare-picture.ts';

type KnownReason = keyof typeof remotePictureText.reasons;
/** Status codes for which a retry is useless. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Fetches a picture as PNG, JPG or GIF. @throws DomainError, or an Error if a retry may help; both with a message */
export async function fetchRemotePicture(address: string, signal: AbortSignal): Promise<File> {
  const response = await send('/api/pictures/copy', { url: address }, signal);
  const { status } = response;
  const blob = await response.blob();
  if (response.ok && blob.type.startsWith('image/')) return storable(blob, nameOf(address));
  if (status === 401) await checkAgain();
  const told = status in remotePictureText.reasons;
  const words = told ? remotePictureText.reasons[status as KnownReason] : remotePictureText.noServer;
  const message = remotePictureText.notCopied({ reason: words });
  throw told && !FINAL.has(status) ? new Error(message) : new DomainError('no-picture', message);
}

async function storable(blob: Blob, name: string): Promise<File> {
  const file = new File([blob], name, { type: blob.type });
  if (!/webp|avif/.test(blob.type)) return file;
  return (await drawPicture(file, (await isOpaque(blob)) ? 'image/jpeg' : 'image/png')).file;
}

/** Returns true if the picture has no transparent areas. Checks a tiny copy, in which even small areas show. */
async function isOpaque(blob: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(blob, { resizeWidth: 64, resizeHeight: 64 }).catch(() => undefined);
  const context = new OffscreenCanvas(64, 64).getContext('2d');
  if (!bitmap || !context) return false;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, 64, 64).data.every((value, index) => index % 4 !== 3 || value > 250);
}

function nameOf(address: string): string {
  const [name = ''] = new URL(address).pathname.split('/').slice(-1);
  return name.slice(-100) || 'picture';
}
