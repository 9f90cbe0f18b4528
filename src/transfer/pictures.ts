/** Converts pictures to the bucket's types and limit: PNG, JPG or GIF of at most 10 MB. */

import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { Sharp, SharpOptions } from 'sharp';
import { IMAGE_MAX_BYTES, imageType } from '#blog/images.ts';
import { pictureId } from '#blog/pictures/file-id.ts';
import type { TransferFile } from './document.ts';

export interface Picture {
  readonly fileId: string;
  readonly name: string;
  /** Width of the original in CSS pixels. */
  readonly width: number;
  readonly height: number;
  bytes(): Promise<Buffer>;
}

export const isPictureName = (file: string): boolean =>
  /\.(?:png|jpe?g|gif|svg|webp|avif|tiff?|bmp|heic|heif|jxl|ico)$/i.test(file);

/** Maximum width in pixels of a PNG made from an SVG. SVGs with a side over `DRAWING_LIMIT` are not converted. */
const DRAWING_WIDTH = 2400;
const DRAWING_LIMIT = 32_767;

/** Opens a picture. The library is loaded on demand, because it takes 10 MiB of memory. */
async function decode(source: Buffer, options?: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(source, options);
}

export async function readPicture(file: TransferFile, slug: string): Promise<Picture | undefined> {
  const source = await file.read().catch(() => undefined);
  if (!source) return undefined;
  const type = imageType(source);
  try {
    const { width = 0, height = 0, orientation = 1, format } = await (await decode(source)).metadata();
    if (format === 'svg' && Math.max(width, height) > DRAWING_LIMIT) return undefined;
    const size = orientation >= 5 ? { width: height, height: width } : { width, height };
    const ending = type ?? 'png';
    const stem = basename(file.name, extname(file.name)).replace(/[^\p{L}\p{N}._-]+/gu, '-');
    return {
      fileId: file.id ?? pictureId(fingerprint(slug, source), size),
      name: `${stem.slice(0, 100) || 'picture'}.${ending}`,
      ...size,
      bytes: async () => {
        const again = await file.read();
        return fitting(type ? again : await converted(again, format === 'svg' ? width : 0), ending);
      },
    };
  } catch {
    // A file with an id is from this product's own bucket, so it is kept even if it cannot be decoded.
    if (!file.id || !type) return undefined;
    return { fileId: file.id, name: file.name, width: 0, height: 0, bytes: () => file.read() };
  }
}

const fingerprint = (slug: string, source: Buffer): string =>
  createHash('sha256').update(slug).update('\0').update(source).digest('hex').slice(0, 20);

/** Converts to PNG. An SVG is drawn at twice its size, for high-density screens. */
async function converted(source: Buffer, drawnWidth: number): Promise<Buffer> {
  if (drawnWidth === 0) return (await decode(source)).autoOrient().png({ compressionLevel: 9 }).toBuffer();
  const width = Math.min(DRAWING_WIDTH, Math.max(drawnWidth, drawnWidth * 2));
  const drawn = await decode(source, { density: Math.min(2400, (72 * width) / drawnWidth) });
  return drawn.resize({ width }).png({ compressionLevel: 9 }).toBuffer();
}

async function fitting(source: Buffer, type: 'png' | 'jpg' | 'gif'): Promise<Buffer> {
  let bytes = source;
  const { width = 1 } = await (await decode(source)).metadata();
  for (let to = Math.min(width, 4000); bytes.length > IMAGE_MAX_BYTES && to > 100; to = Math.round(to * 0.8)) {
    const smaller = (await decode(source, { animated: type === 'gif' })).resize({ width: to });
    if (type === 'gif') bytes = await smaller.gif().toBuffer();
    else if (type === 'jpg') bytes = await smaller.autoOrient().jpeg({ quality: 85 }).toBuffer();
    else bytes = await smaller.png({ compressionLevel: 9 }).toBuffer();
  }
  return bytes;
}
