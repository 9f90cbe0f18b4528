/**
 * Prepares a chosen picture for its upload: upright, no larger than pages show it, and without metadata (place, camera,
 * time).
 */

import { IMAGE_MAX_BYTES, imageTooLarge } from '#blog/images.ts';
import { pictureFaultText } from '#blog/messages/picture-faults.ts';
import { LONGEST_EDGE, planFor } from '#blog/pictures/plan.ts';

export interface PreparedPicture {
  readonly file: File;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** A file that the blog cannot take; the message says why. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
}

/** Smaller files without a visible difference. */
const JPEG_QUALITY = 0.9;

const prepared = new WeakMap<File, Promise<PreparedPicture>>();

/**
 * Returns the picture to upload in place of `file`, always the same one. GIFs and animated PNGs stay as they are.
 * @throws PictureRefused in the product's words.
 */
export function preparePicture(file: File): Promise<PreparedPicture> {
  const known = prepared.get(file);
  if (known) return known;
  const work = prepare(file);
  prepared.set(file, work);
  work.then(
    (made) => prepared.set(made.file, work),
    () => {},
  );
  return work;
}

async function prepare(file: File): Promise<PreparedPicture> {
  const read = await file.arrayBuffer().catch((error: unknown) => {
    throw new PictureRefused(pictureFaultText.imageBroken, { cause: error });
  });
  const bytes = new Uint8Array(read);
  const plan = planFor(bytes);
  if (plan.kind === 'refuse') throw new PictureRefused(plan.fault);
  if (plan.kind === 'draw') return drawPicture(file, plan.type);
  const { width, height } = plan;
  // In memory, because a browser does not send a file that was changed or moved since it was chosen.
  return { file: new File([plan.bytes], file.name, { type: file.type }), width, height };
}

/** Draws the picture upright, no larger than pages show it, as `type`. @throws PictureRefused */
export async function drawPicture(file: File, type: string): Promise<PreparedPicture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((error: unknown) => {
    throw new PictureRefused(pictureFaultText.imageBroken, { cause: error });
  });
  const scale = Math.min(1, LONGEST_EDGE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  bitmap.close();
  const { width, height } = canvas;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
  // Frees the pixels at once: ten photos take a gigabyte.
  canvas.width = 0;
  if (!context || !blob) throw new PictureRefused(pictureFaultText.imageBroken);
  if (blob.size > IMAGE_MAX_BYTES) throw new PictureRefused(imageTooLarge(blob.size));
  return { file: new File([blob], file.name, { type }), width, height };
}
