/** Pictures for tests, drawn by code. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** A small PNG in one colour. */
export function picture(width = 900, height = 600, background = '#5b6b8c'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A PNG of about `bytes` bytes: noise does not compress. */
export function noise(bytes: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
