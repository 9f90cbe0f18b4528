import { describe, expect, it } from 'vitest';
import { AppwriteError } from '../../http/errors.ts';
import { CHUNK_SIZE, chunkCount, chunkNumber, parseContentRange, requireWholeChunk } from './content-range.ts';

const INVALID = expect.objectContaining({ type: 'storage_invalid_content_range', code: 400 });

function fault(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppwriteError);
    return error;
  }
  return undefined;
}

describe('parseContentRange', () => {
  it('gives start, end and total', () => {
    expect(parseContentRange('bytes 0-9/20')).toEqual({ start: 0, end: 10, total: 20 });
  });

  it('takes the size itself as the last byte', () => {
    expect(parseContentRange('bytes 10-20/20')).toEqual({ start: 10, end: 20, total: 20 });
  });

  it('does not look at the unit', () => {
    expect(parseContentRange('items 0-5/20')).toEqual({ start: 0, end: 6, total: 20 });
  });

  it('is absent without a header', () => {
    expect(parseContentRange(undefined)).toBeUndefined();
    expect(parseContentRange('')).toBeUndefined();
  });

  it.each(['bytes 10-5/20', 'bytes 0-21/20', 'bytes 20-20/20', 'bytes */20', 'bytes 0-5', 'x', 'bytes -1-5/20'])(
    'refuses %s',
    (header) => {
      expect(fault(() => parseContentRange(header))).toEqual(INVALID);
    },
  );
});

describe('chunks', () => {
  it('are counted from their 5 MiB grid', () => {
    expect(chunkNumber(0)).toBe(1);
    expect(chunkNumber(CHUNK_SIZE - 1)).toBe(1);
    expect(chunkNumber(CHUNK_SIZE)).toBe(2);
    expect(chunkCount(1)).toBe(1);
    expect(chunkCount(CHUNK_SIZE)).toBe(1);
    expect(chunkCount(CHUNK_SIZE + 1)).toBe(2);
  });

  it('must lie on the grid and carry the bytes they announce', () => {
    const total = CHUNK_SIZE + 10;
    const first = { start: 0, end: CHUNK_SIZE, total };
    const last = { start: CHUNK_SIZE, end: total, total };
    expect(() => requireWholeChunk(first, CHUNK_SIZE)).not.toThrow();
    expect(() => requireWholeChunk(last, 10)).not.toThrow();
    expect(fault(() => requireWholeChunk(first, CHUNK_SIZE - 1))).toEqual(INVALID);
    expect(fault(() => requireWholeChunk(last, 9))).toEqual(INVALID);
    expect(fault(() => requireWholeChunk({ start: 1, end: CHUNK_SIZE, total }, CHUNK_SIZE - 1))).toEqual(INVALID);
    expect(fault(() => requireWholeChunk({ start: 0, end: 100, total }, 100))).toEqual(INVALID);
    expect(fault(() => requireWholeChunk({ start: 0, end: total, total }, total))).toEqual(INVALID);
  });
});
