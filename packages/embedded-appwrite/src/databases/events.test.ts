import { describe, expect, it } from 'vitest';
import { eventNames } from './events.ts';

const LEVELS = [
  ['databases', 'D'],
  ['collections', 'posts'],
  ['documents', 'x'],
] as const;

describe('names of a document event', () => {
  const names = eventNames(LEVELS, 'create', 'legacy');

  it('are 42, the concrete one first', () => {
    expect(names).toHaveLength(42);
    expect(names[0]).toBe('databases.D.collections.posts.documents.x.create');
  });

  it('come in the order of the real server', () => {
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
  });

  it('of a database made for tables are told in its words too', () => {
    const more = eventNames(LEVELS, 'create', 'tablesdb');
    expect(more).toContain('tablesdb.D.tables.posts.rows.x.create');
    expect(more[0]).toBe(names[0]);
  });
});
