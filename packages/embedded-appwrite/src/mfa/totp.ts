/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, steps of 30 seconds, as authenticator apps expect. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET_BYTES = 64;
const STEP = 30_000;
const DIGITS = 6;
/** Time steps accepted before and after the current one, in case the clocks differ. */
const DRIFT = 1;

/** Returns base32 without padding (RFC 4648). */
export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => ALPHABET[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export function authenticatorSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

export function stepAt(milliseconds: number): number {
  return Math.floor(milliseconds / STEP);
}

/** @param secret base32 */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) as number) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * Returns a code's time step, or `undefined` for a wrong code. Refuses steps up to `after`, so no code works twice.
 */
export function stepOf(secret: string, code: string, now: number, after: number): number | undefined {
  const given = Buffer.from(code);
  const present = stepAt(now);
  for (let step = present - DRIFT; step <= present + DRIFT; step++) {
    const expected = Buffer.from(codeOf(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected) && step > after) return step;
  }
  return undefined;
}
