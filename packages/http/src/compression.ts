import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Encoding } from './encoding.ts';

export type Bodies = Readonly<Record<Encoding, Buffer>>;

export const CHECKSUM_LENGTH = 22;

export function checksum(body: Buffer | string): string {
  return hash('sha256', body, 'base64url').slice(0, CHECKSUM_LENGTH);
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/**
 * Brotli qualities. On pages of 6 to 46 KB, quality 6 takes 0.9 ms, a tenth of the time of quality 9, for at most 0.1%
 * more bytes. A response that is sent only once gets quality 4, which takes 0.3 ms for 27 KB.
 */
const QUALITY = { stored: 6, once: 4 };

/** Returns the base-2 logarithm of Brotli's window: smaller for smaller pages, which saves memory and time. */
const windowFor = (length: number): number => Math.min(Math.max(32 - Math.clz32(length), 16), 22);

const brotliOptions = (identity: Buffer, quality: number): BrotliOptions => ({
  params: {
    [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
    [zlib.BROTLI_PARAM_QUALITY]: quality,
    [zlib.BROTLI_PARAM_SIZE_HINT]: identity.length,
    [zlib.BROTLI_PARAM_LGWIN]: windowFor(identity.length),
  },
});

export async function compressOnce(encoding: Encoding, identity: Buffer): Promise<Buffer> {
  if (encoding === 'identity') return identity;
  return encoding === 'br' ? brotli(identity, brotliOptions(identity, QUALITY.once)) : deflate(identity);
}

export async function compress(identity: Buffer): Promise<Bodies> {
  const [br, zipped] = await Promise.all([
    brotli(identity, brotliOptions(identity, QUALITY.stored)),
    deflate(identity),
  ]);
  return { identity, gzip: exact(zipped), br: exact(br) };
}

/** Copies a buffer that would otherwise keep zlib's larger backing buffer in memory. */
function exact(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
