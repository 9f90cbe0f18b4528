import { IMAGE_MAX_BYTES, imageTooLarge, imageType } from '../images.ts';
import { pictureFaultText } from '../messages/picture-faults.ts';
import { formText } from '../messages.ts';
import { readJpeg, readPng } from './metadata.ts';

/** Maximum length of the longer edge after scaling, in pixels; pages never show a wider picture. */
export const LONGEST_EDGE = 2560;
const MOST_PIXELS = 150_000_000;

export type Plan =
  | { readonly kind: 'refuse'; readonly fault: string }
  | { readonly kind: 'keep'; readonly bytes: Uint8Array<ArrayBuffer>; readonly width: number; readonly height: number }
  /** Redraws the picture upright, no larger than `LONGEST_EDGE`. */
  | { readonly kind: 'draw'; readonly type: 'image/png' | 'image/jpeg' };

export function planFor(bytes: Uint8Array<ArrayBuffer>): Plan {
  const type = imageType(bytes);
  if (!type) return { kind: 'refuse', fault: formText.imageType };
  if (type === 'gif') {
    const [width, height] = [(bytes[6] ?? 0) | ((bytes[7] ?? 0) << 8), (bytes[8] ?? 0) | ((bytes[9] ?? 0) << 8)];
    return width && height ? kept(bytes, width, height) : refused(pictureFaultText.imageBroken);
  }
  const facts = type === 'jpg' ? readJpeg(bytes) : readPng(bytes);
  const drawn: Plan = { kind: 'draw', type: type === 'jpg' ? 'image/jpeg' : 'image/png' };
  // The browser tries to redraw the picture, because it can decode some files that `readJpeg` and `readPng` cannot.
  if (!facts) return drawn;
  const { orientation, animated, clean } = facts;
  const [width, height] = orientation > 4 ? [facts.height, facts.width] : [facts.width, facts.height];
  if (width * height > MOST_PIXELS) return refused(pictureFaultText.imageTooManyPixels({ width, height }));
  if (animated || (Math.max(width, height) <= LONGEST_EDGE && orientation === 1)) return kept(clean, width, height);
  return drawn;
}

const refused = (fault: string): Plan => ({ kind: 'refuse', fault });

const kept = (bytes: Uint8Array<ArrayBuffer>, width: number, height: number): Plan =>
  bytes.length > IMAGE_MAX_BYTES ? refused(imageTooLarge(bytes.length)) : { kind: 'keep', bytes, width, height };
