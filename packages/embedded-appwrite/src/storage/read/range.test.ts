import { describe, expect, it } from 'vitest';
import { parseRange } from './range.ts';

describe('parseRange', () => {
  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=10-', 10, 1000],
    ['bytes=5-5', 5, 6],
    ['bytes=-5', 995, 1000],
    ['bytes=-5000', 0, 1000],
    ['bytes=990-5000', 990, 1000],
    ['bytes=999-999', 999, 1000],
  ])('%s of 1000 bytes', (header, start, end) => {
    expect(parseRange(header, 1000)).toEqual({ start, end });
  });

  it('gives everything without a header and for several ranges', () => {
    expect(parseRange(undefined, 1000)).toBeUndefined();
    expect(parseRange('bytes=0-1, 5-6', 1000)).toBeUndefined();
  });

  it.each(['bytes=1000-', 'bytes=5-4', 'bytes=-0', 'bytes=-', 'bytes=a-b', 'items=0-5', '0-5'])(
    'refuses %s of 1000 bytes',
    (header) => {
      expect(() => parseRange(header, 1000)).toThrow(
        expect.objectContaining({ code: 416, type: 'storage_invalid_range' }),
      );
    },
  );
});
