import { expect, it } from 'vitest';
import { authenticatorSecret, codeOf, fromBase32, stepAt, stepOf, toBase32 } from './totp.ts';

/** Test vectors of RFC 6238, appendix B, cut to the last six digits. */
const SECRET = toBase32(Buffer.from('12345678901234567890'));
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

it.each(VECTORS)('is right at %i s: %s', (seconds, code) => expect(codeOf(SECRET, stepAt(seconds * 1000))).toBe(code));

it('makes secrets of 64 bytes in base32', () => {
  const secret = authenticatorSecret();
  expect(secret).toMatch(/^[A-Z2-7]{103}$/);
  expect(toBase32(fromBase32(secret))).toBe(secret);
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
});

it('accepts a code one step before and after its own, and no further', () => {
  const now = 1_700_000_015_000;
  const present = stepAt(now);
  const taken = [-2, -1, 0, 1, 2].map((off) => stepOf(SECRET, codeOf(SECRET, present + off), now, 0));
  expect(taken).toEqual([undefined, present - 1, present, present + 1, undefined]);
  expect(stepOf(SECRET, '12345', now, 0)).toBeUndefined();
});

it('accepts a code once', () => {
  const now = 1_700_000_015_000;
  const present = stepAt(now);
  expect(stepOf(SECRET, codeOf(SECRET, present), now, present)).toBeUndefined();
  expect(stepOf(SECRET, codeOf(SECRET, present - 1), now, present)).toBeUndefined();
  expect(stepOf(SECRET, codeOf(SECRET, present + 1), now, present)).toBe(present + 1);
});
