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
  const ofDocument = ['D.posts.x', '*.*.*', 'D.*.x', '*.*.x', '*.posts.x', 'D.posts.*', '*.posts.*', 'D.*.*'];
  const ids = [...ofDocument, 'D.posts', '*.*', 'D.*', '*.posts', 'D'].map((name) => {
    const [database, collection, document] = name.split('.');
    const inside = `${collection ? `.collections.${collection}` : ''}${document ? `.documents.${document}` : ''}`;
    return `databases.${database}${inside}`;
  });
  const changes = ids.slice(0, ofDocument.length).map((name) => `${name}.create`);
  expect(names.filter((_, i) => i % 2 === 0)).toEqual([...changes, ...ids]);
  expect(names.slice(-2)).toEqual(['databases.D', 'databases.*']);
  expect(names[1]).toBe('databases.D.tables.posts.rows.x.create');
  const more = eventNames(LEVELS, 'create', 'tablesdb');
  expect(more).toContain('tablesdb.D.tables.posts.rows.x.create');
  expect(more[0]).toBe(names[0]);
});
