export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size in pixels of a PNG or an SVG; undefined for others and for an SVG without a size. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG' && bytes.length >= 24) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  const [, tag] = /<svg\b([^>]*)>/i.exec(bytes.toString('utf8')) ?? [];
  if (tag === undefined) return undefined;
  const [, , , width, height] = /\bviewBox\s*=\s*["']\s*(\S+)[\s,]+(\S+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag) ?? [];
  return sizeOf(width, height) ?? sizeOf(lengthOf(tag, 'width'), lengthOf(tag, 'height'));
}

const lengthOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1];

function sizeOf(width: string | undefined, height: string | undefined): PictureSize | undefined {
  const [w, h] = [Number(width), Number(height)];
  return w > 0 && h > 0 ? { width: Math.round(w), height: Math.round(h) } : undefined;
}
