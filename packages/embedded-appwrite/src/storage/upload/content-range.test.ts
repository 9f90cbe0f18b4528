import { expect, it } from 'vitest';
import { CHUNK_SIZE, chunkCount, chunkNumber, parseContentRange, requireWholeChunk } from './content-range.ts';

const INVALID = expect.objectContaining({ type: 'storage_invalid_content_range', code: 400 });

it.each([
  ['bytes 0-9/20', { start: 0, end: 10, total: 20 }],
  // Some SDKs send the file's size as the position of the last byte.
  ['bytes 10-20/20', { start: 10, end: 20, total: 20 }],
  ['items 0-5/20', { start: 0, end: 6, total: 20 }],
  ['', undefined],
  [undefined, undefined],
])('reads %s', (header, range) => expect(parseContentRange(header)).toEqual(range));

const BAD = ['bytes 10-5/20', 'bytes 0-21/20', 'bytes 20-20/20', 'bytes */20', 'bytes 0-5', 'x', 'bytes -1-5/20'];
it.each(BAD)('refuses %s', (header) => expect(() => parseContentRange(header)).toThrow(INVALID));

it('counts chunks on a grid of 5 MiB', () => {
  expect([0, CHUNK_SIZE - 1, CHUNK_SIZE].map(chunkNumber)).toEqual([1, 1, 2]);
  expect([1, CHUNK_SIZE, CHUNK_SIZE + 1].map(chunkCount)).toEqual([1, 1, 2]);
});

it('takes chunks that lie on the grid and have the announced bytes, and no others', () => {
  const total = CHUNK_SIZE + 10;
  const check = (start: number, end: number, received: number) => () =>
    requireWholeChunk({ start, end, total }, received);
  check(0, CHUNK_SIZE, CHUNK_SIZE)();
  check(CHUNK_SIZE, total, 10)();
  expect(check(0, CHUNK_SIZE, CHUNK_SIZE - 1)).toThrow(INVALID);
  expect(check(CHUNK_SIZE, total, 9)).toThrow(INVALID);
  expect(check(1, CHUNK_SIZE, CHUNK_SIZE - 1)).toThrow(INVALID);
  expect(check(0, 100, 100)).toThrow(INVALID);
  expect(check(0, total, total)).toThrow(INVALID);
});
