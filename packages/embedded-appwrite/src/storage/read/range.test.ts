import { expect, it } from 'vitest';
import { parseRange } from './range.ts';

it.each([
  ['bytes=10-', { start: 10, end: 1000 }],
  ['bytes=-5000', { start: 0, end: 1000 }],
  ['bytes=990-5000', { start: 990, end: 1000 }],
  ['bytes=999-999', { start: 999, end: 1000 }],
  ['bytes=0-1, 5-6', undefined],
  [undefined, undefined],
])('reads %s of 1000 bytes', (header, range) => expect(parseRange(header, 1000)).toEqual(range));

const BAD = ['bytes=1000-', 'bytes=5-4', 'bytes=-0', 'bytes=-', 'bytes=a-b', 'items=0-5', '0-5'];
it.each(BAD)('refuses %s of 1000 bytes', (header) => {
  const refusal = expect.objectContaining({ code: 416, type: 'storage_invalid_range' });
  expect(() => parseRange(header, 1000)).toThrow(refusal);
});
