import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

export function picture(width = 900, height = 600, background = '#5b6b8c'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Returns a PNG of about `bytes` bytes. It shows noise, because noise does not compress. */
export function noise(bytes: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
