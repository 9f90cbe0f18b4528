import { expect, it } from 'vitest';
import { ByteCache } from './byte-cache.ts';

it('keeps at most its limit and gives up what was not asked for the longest', () => {
  const cache = new ByteCache(30);
  for (const key of ['a', 'b', 'c']) cache.set(key, Buffer.alloc(10));
  expect(cache.get('a')).toBeDefined();
  cache.set('d', Buffer.alloc(10));
  expect(cache.bytes).toBe(30);
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toBeDefined();
});

it('does not keep what is larger than itself', () => {
  const cache = new ByteCache(10);
  cache.set('a', Buffer.alloc(10));
  cache.set('b', Buffer.alloc(11));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toBeDefined();
});

it('counts a replaced entry once', () => {
  const cache = new ByteCache(30);
  cache.set('a', Buffer.alloc(20));
  cache.set('a', Buffer.alloc(10));
  expect(cache.bytes).toBe(10);
  cache.delete('a');
  expect(cache.bytes).toBe(0);
});
