/**
 * Seals a zip file: writes the SHA-256 of all bytes before the zip comment into that comment, because the members'
 * hashes do not cover the zip headers.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';

const LENGTH = 64;

export const UNSEALED = '0'.repeat(LENGTH);

export function seal(): Transform {
  const hash = createHash('sha256');
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isLarge = chunk.length >= LENGTH;
      const all = isLarge ? chunk : Buffer.concat([held, chunk]);
      const ready = all.subarray(0, Math.max(0, all.length - LENGTH));
      for (const part of isLarge ? [held, ready] : [ready]) {
        hash.update(part);
        this.push(part);
      }
      held = Buffer.from(all.subarray(ready.length));
      done();
    },
    flush(done) {
      done(null, hash.digest('hex'));
    },
  });
}

export async function isSealed(file: string): Promise<boolean> {
  const end = statSync(file).size - LENGTH;
  if (end <= 0) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { end: end - 1 })) hash.update(chunk);
  let comment = '';
  for await (const chunk of createReadStream(file, { start: end, encoding: 'latin1' })) comment += chunk;
  return comment === hash.digest('hex');
}
