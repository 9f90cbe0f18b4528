import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

const made = new Map<string, Promise<Buffer>>();

export function picture(width = 900, height = 600, background = '#5b6b8c'): Promise<Buffer> {
  const key = [width, height, background].join();
  const known = made.get(key);
  if (known) return known;
  const drawn = sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  made.set(key, drawn);
  return drawn;
}

/** Returns a PNG of about `bytes` bytes. It shows noise, because noise does not compress. */
export function noise(bytes: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
