import { expect, it } from 'vitest';
import { eventNames } from './events.ts';

const LEVELS = [
  ['databases', 'D'],
  ['collections', 'posts'],
  ['documents', 'x'],
] as const;

it('names a document event in the order of the real server, in both dialects', () => {
  const names = eventNames(LEVELS, 'create', 'legacy');
  expect(names).toHaveLength(42);
  expect(names.filter((_, i) => i % 2 === 0)).toEqual([
    'databases.D.collections.posts.documents.x.create',
    'databases.*.collections.*.documents.*.create',
    'databases.D.collections.*.documents.x.create',
    'databases.*.collections.*.documents.x.create',
    'databases.*.collections.posts.documents.x.create',
    'databases.D.collections.posts.documents.*.create',
    'databases.*.collections.posts.documents.*.create',
    'databases.D.collections.*.documents.*.create',
    'databases.D.collections.posts.documents.x',
    'databases.*.collections.*.documents.*',
    'databases.D.collections.*.documents.x',
    'databases.*.collections.*.documents.x',
    'databases.*.collections.posts.documents.x',
    'databases.D.collections.posts.documents.*',
    'databases.*.collections.posts.documents.*',
    'databases.D.collections.*.documents.*',
    'databases.D.collections.posts',
    'databases.*.collections.*',
    'databases.D.collections.*',
    'databases.*.collections.posts',
    'databases.D',
  ]);
  expect(names.slice(-2)).toEqual(['databases.D', 'databases.*']);
  expect(names[1]).toBe('databases.D.tables.posts.rows.x.create');
  const more = eventNames(LEVELS, 'create', 'tablesdb');
  expect(more).toContain('tablesdb.D.tables.posts.rows.x.create');
  expect(more[0]).toBe(names[0]);
});
