/** Reads the size and orientation of JPEG and PNG files without decoding them, and removes their metadata. */

interface PictureFacts {
  /** The stored size; orientations 5 to 8 swap width and height for display. */
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation, from 1 to 8; 1 is upright. */
  readonly orientation: number;
  /** True for an APNG; redrawing it would keep only one frame. */
  readonly animated: boolean;
  /** The file without metadata (camera, location, texts, thumbnails); the original bytes if it has none. */
  readonly clean: Uint8Array<ArrayBuffer>;
}

const SOS = 0xda;
const EOI = 0xd9;
const APP1 = 0xe1;
const COMMENT = 0xfe;

/** Returns undefined if the JPEG's segments are malformed. */
export function readJpeg(bytes: Uint8Array<ArrayBuffer>): PictureFacts | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const kept: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let at = 2;
  for (;;) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      kept.push(bytes.subarray(at, at + 2));
      break;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2 || body.length < length - 2) return undefined;
    if (isFrame(marker)) {
      const [, high = 0, low = 0, wide = 0, narrow = 0] = body;
      size = { height: (high << 8) | low, width: (wide << 8) | narrow };
    }
    if (marker === APP1) orientation = orientationIn(body) ?? orientation;
    const end = marker === SOS ? endOfScan(bytes, at + 2 + length) : at + 2 + length;
    if (end === undefined) return undefined;
    if (isNeeded(marker, body)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  if (!size || size.width === 0 || size.height === 0) return undefined;
  return { ...size, orientation, animated: false, clean: joined(kept, bytes) };
}

/** Returns true for start-of-frame markers. C4, C8 and CC are other segments (ITU-T T.81, table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Returns true for segments that affect the display, unlike EXIF, XMP, IPTC, additional pictures and comments. */
function isNeeded(marker: number, body: Uint8Array): boolean {
  if (marker === COMMENT) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  const named = (name: string) => Array.from(name).every((letter, at) => body[at] === letter.charCodeAt(0));
  if (marker === 0xe0) return named('JFIF\0');
  if (marker === 0xe2) return named('ICC_PROFILE\0');
  return marker === 0xee && named('Adobe');
}

/** Returns the position of the first marker after a scan's coded data, skipping stuffed FF 00 and restart markers. */
function endOfScan(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return undefined;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return undefined;
}

const TELLING = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME', 'zxIf', 'caBX']);

/** Returns undefined if the PNG's chunks are malformed. */
export function readPng(bytes: Uint8Array<ArrayBuffer>): PictureFacts | undefined {
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

/** Joins the kept parts of `whole`. Returns `whole` itself if nothing was left out. */
function joined(parts: readonly Uint8Array[], whole: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length === whole.length) return whole;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const ORIENTATION = 0x0112;

/** Returns the orientation (1 to 8) in an EXIF block; undefined if it has none. JPEG's `Exif` prefix is optional. */
function orientationIn(block: Uint8Array): number | undefined {
  const start = String.fromCharCode(...block.subarray(0, 6)) === 'Exif\0\0' ? 6 : 0;
  const tiff = new DataView(block.buffer, block.byteOffset + start, block.byteLength - start);
  if (tiff.byteLength < 8) return undefined;
  const order = tiff.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return undefined;
  const little = order === 0x4949;
  const directory = tiff.getUint32(4, little);
  if (directory + 2 > tiff.byteLength) return undefined;
  const entries = tiff.getUint16(directory, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.byteLength) return undefined;
    if (tiff.getUint16(at, little) !== ORIENTATION) continue;
    const value = tiff.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
