const ORIENTATION = 0x0112;

/** Returns the orientation, 1 to 8, in an EXIF block with or without JPEG's `Exif` prefix; undefined if it has none. */
export function orientationIn(block: Uint8Array): number | undefined {
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
