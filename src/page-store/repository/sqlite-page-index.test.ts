import { expect, test } from 'vitest';
import { PageIndex } from './sqlite-page-index.ts';
import { headerSetOf, StoredPage } from './stored-page.ts';

test('a write that fails leaves the counts as they were', () => {
  const index = new PageIndex({ file: ':memory:', build: '1', maximumAge: 60, now: () => 0 });
  const pageOf = (identity: number) => {
    const parts = { sums: { br: '', gzip: '', identity: '' }, lengths: { br: 1, gzip: 1, identity } };
    const content = { path: '/', tags: [], maxAge: 60, reason: '', storedAt: 0, ...parts };
    return new StoredPage(content, headerSetOf([]), 0);
  };
  index.put(pageOf(10));
  // SQLite converts NaN to NULL, which the `NOT NULL` column rejects.
  expect(() => index.put(pageOf(Number.NaN))).toThrow('NOT NULL');
  expect([index.has('/'), index.size, index.bytes]).toEqual([true, 1, 12]);
});
