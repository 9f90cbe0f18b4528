import { expect, test } from 'vitest';
import { negotiate } from './encoding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', 'identity'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.5 , gzip ; q=0.5', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity, br;q=0.5', 'identity'],
  ['identity;q=0, *;q=0', 'identity'],
  ['gzip;q=1.001', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  ['gzip;q=1.000', 'gzip'],
  [',,;;,', 'identity'],
  ['brotli', 'identity'],
])('%s gets %s', (header, encoding) => {
  expect(negotiate(header)).toBe(encoding);
  expect(negotiate(header)).toBe(encoding);
});
