/** Rotates a picture upright, limits its size, and strips metadata such as location, camera and time. */

import { DomainError } from '#blog/errors.ts';
import { IMAGE_MAX_BYTES, imageTooLarge } from '#blog/images.ts';
import { pictureFaultText } from '#blog/messages/picture-faults.ts';
import { LONGEST_EDGE, planFor } from '#blog/pictures/plan.ts';

export interface PreparedPicture {
  readonly file: File;
  /** In CSS pixels, like `height`. */
  readonly width: number;
  readonly height: number;
}

/** Low enough to save bytes, high enough that the loss is not visible. */
const JPEG_QUALITY = 0.9;

const prepared = new WeakMap<File, Promise<PreparedPicture>>();

/** Prepares each file for upload once. Does not redraw GIFs and animated PNGs. @throws DomainError with a message */
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

function refuse(cause?: unknown): never {
  throw new DomainError('no-picture', pictureFaultText.imageBroken, { cause });
}

async function prepare(file: File): Promise<PreparedPicture> {
  const read = await file.arrayBuffer().catch(refuse);
  const bytes = new Uint8Array(read);
  const plan = planFor(bytes);
  if (plan.kind === 'refuse') throw new DomainError('no-picture', plan.fault);
  if (plan.kind === 'draw') return drawPicture(file, plan.type);
  const { width, height } = plan;
  // Copied into memory, because browsers do not send a file that was changed or moved after it was chosen.
  return { file: new File([plan.bytes], file.name, { type: file.type }), width, height };
}

/** Redraws the picture upright as `type`, no larger than `LONGEST_EDGE`. @throws DomainError with a message */
export async function drawPicture(file: File, type: string): Promise<PreparedPicture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(refuse);
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
  // Frees the memory at once, because ten photos would take up a gigabyte.
  canvas.width = 0;
  if (!context || !blob) return refuse();
  if (blob.size > IMAGE_MAX_BYTES) throw new DomainError('no-picture', imageTooLarge(blob.size));
  return { file: new File([blob], file.name, { type }), width, height };
}
