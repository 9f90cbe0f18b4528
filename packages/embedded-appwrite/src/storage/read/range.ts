/** Parses the `Range` header (RFC 9110, section 14). */
import { AppwriteError } from '../../http/errors.ts';

export interface ByteRange {
  readonly start: number;
  /** First byte after the range. */
  readonly end: number;
}

const BYTES = /^bytes=(\d*)-(\d*)$/;
const SEVERAL = /^bytes=\s*\d*-\d*(?:\s*,\s*\d*-\d*)+\s*$/;

/**
 * Returns `undefined` if the header is missing, or lists several ranges, which a server may ignore. Throws 416 for an
 * invalid range.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined || SEVERAL.test(header)) return undefined;
  const [, first = '', last = ''] = BYTES.exec(header.trim()) ?? [];
  if (first === '' && last === '') throw new AppwriteError('storage_invalid_range');
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start >= end) throw new AppwriteError('storage_invalid_range');
  return { start, end };
}
