import { describe, expect, it } from 'vitest';
import { DocumentCache } from './cache.ts';

const document = (sequence: number, size = 9_500) => ({
  id: `id${sequence}`,
  sequence,
  json: Buffer.alloc(size),
  permissions: '[]',
});

describe('the cache of documents', () => {
  it('finds a document by number and by id, of its plan only', () => {
    const cache = new DocumentCache(1_000_000);
    cache.put(1, document(5));
    expect(cache.get(1, 5)?.id).toBe('id5');
    expect(cache.getById(1, 'id5')?.sequence).toBe(5);
    expect(cache.get(2, 5)).toBeUndefined();
    expect(cache.getById(2, 'id5')).toBeUndefined();
  });

  it('forgets a dropped document under both names', () => {
    const cache = new DocumentCache(1_000_000);
    cache.put(1, document(5));
    cache.drop(1, 5);
    expect(cache.get(1, 5)).toBeUndefined();
    expect(cache.getById(1, 'id5')).toBeUndefined();
  });

  it('keeps within its limit, sparing what was used', () => {
    const cache = new DocumentCache(200_000);
    for (let i = 1; i <= 20; i++) cache.put(1, document(i));
    cache.get(1, 1);
    cache.put(1, document(21));
    expect(cache.get(1, 1)).toBeDefined();
    expect(cache.get(1, 2)).toBeUndefined();
    for (let i = 1; i <= 21; i++) cache.get(1, i);
    cache.put(1, document(22));
    const kept = Array.from({ length: 22 }, (_, i) => cache.get(1, i + 1)).filter(Boolean);
    expect(kept).toHaveLength(20);
  });

  it('does not take a document that would displace many others', () => {
    const cache = new DocumentCache(160_000);
    cache.put(1, document(1, 10_001));
    cache.put(1, document(2, 10_000));
    expect(cache.get(1, 1)).toBeUndefined();
    expect(cache.get(1, 2)).toBeDefined();
  });
});
