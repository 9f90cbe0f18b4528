import { joined } from './jpeg.ts';
import { orientationIn } from './orientation.ts';

export interface PngFacts {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
  /** True for an APNG; redrawing it would keep only one frame. */
  readonly animated: boolean;
  /** The file without metadata (texts, EXIF, time); the original bytes if it has none. */
  readonly clean: Uint8Array<ArrayBuffer>;
}

const TELLING = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME', 'zxIf', 'caBX']);

/** Reads a PNG without decoding it. Returns undefined if its chunks are malformed. */
export function readPng(bytes: Uint8Array<ArrayBuffer>): PngFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, 8)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let animated = false;
  for (let at = 8, last = false; !last; ) {
    if (at + 12 > bytes.length) return undefined;
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return undefined;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === 'IHDR') size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (name === 'acTL') animated = true;
    if (name === 'eXIf') orientation = orientationIn(bytes.subarray(at + 8, at + 8 + length)) ?? orientation;
    if (!TELLING.has(name)) kept.push(bytes.subarray(at, end));
    last = name === 'IEND';
    at = end;
  }
  if (!size || size.width === 0 || size.height === 0) return undefined;
  return { ...size, orientation, animated, clean: joined(kept, bytes) };
}
