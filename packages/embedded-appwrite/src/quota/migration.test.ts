/** Opens a database of schema version 2, in which documents have no owners. */
import { expect, it } from 'vitest';
import { olderDatabase } from '../../tests/support/older-database.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore } from '../sqlite/store.ts';
import { StorageUsage } from './usage.ts';

const TEXTS = 150;
const DATE = '2024-01-01T00:00:00.000+00:00';
const everything = (role: string) => JSON.stringify(['read("any")', `update("${role}")`, `delete("${role}")`]);
const add = (id: string, permissions: string, first: string | null, last: string) =>
  `INSERT INTO documents_1 (id, created, updated, permissions, a1, a${TEXTS}, a${TEXTS + 1})
   VALUES ('${id}', '${DATE}', '${DATE}', '${permissions}', ${first === null ? 'NULL' : `'${first}'`}, '${last}', 12345);`;
const file = (id: string, size: number, blob: string, uploader: string) =>
  `INSERT INTO files (bucket_sequence, id, name, folder, permissions, signature, mime_type, size_original, size_actual,
   chunks_total, chunks_uploaded, blob, uploader, created_at, updated_at)
   VALUES (1, '${id}', 'n', '', '[]', '', '', ${size}, 0, 2, 1, '${blob}', '${uploader}', '2999', '2999');`;

/** Creates a version 2 database. Its collection `notes` has too many attributes for a single sum in `migration.ts`. */
function secondVersion(): Promise<string> {
  const columns = Array.from({ length: TEXTS }, (_, i) => `a${i + 1}`);
  return olderDatabase(
    2,
    `
    INSERT INTO databases VALUES (1, 'db', 'c', 'u', 'db', 1, 'legacy');
    INSERT INTO collections VALUES (1, 1, 'notes', 'c', 'u', 'notes', 1, 1, '["create(\\"users\\")"]');
    ${columns.map((_, i) => `INSERT INTO attributes VALUES (${i + 1}, 1, 'k${i + 1}', 'c', 'u', 'string', 1000, 0, 0, NULL, '{}');`).join('\n')}
    INSERT INTO attributes VALUES (${TEXTS + 1}, 1, 'number', 'c', 'u', 'integer', 8, 0, 0, NULL, '{}');
    CREATE TABLE documents_1 (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created TEXT NOT NULL, updated TEXT NOT NULL,
      permissions TEXT NOT NULL, ${columns.map((column) => `${column} TEXT`).join(', ')}, a${TEXTS + 1} INTEGER
    ) STRICT;
    CREATE TABLE readers_1 (role INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (role, sequence)) STRICT, WITHOUT ROWID;
    INSERT INTO buckets VALUES (1, 'bk', 'bk', '["create(\\"users\\")"]', 1, 1, 30000000, '[]', 'none', 1, 1, 1, 'c', 'u');
    ${add('of-ann', everything('user:ann'), 'é'.repeat(50), 'x'.repeat(100))}
    ${add('may-delete', JSON.stringify(['delete("user:ann")']), null, 'x'.repeat(100))}
    ${add('of-all', everything('users'), 'x', 'x')}
    ${file('ann', 7000, 'aa1', 'user:ann')}
    ${file('key', 9000, 'aa2', 'key')}`,
  );
}

it('finds the owners of stored data, and counts it', async () => {
  const directory = await secondVersion();
  const store = openStore(directory, MIGRATIONS);
  const usage = new StorageUsage(store, 0);
  const permissions = '["read(\\"any\\")","update(\\"user:ann\\")","delete(\\"user:ann\\")"]'.length;
  const own = 512 + permissions + 100 + 100 + (512 + '["delete(\\"user:ann\\")"]'.length + 100);
  expect(usage.bytesOf('user:ann')).toBe(7000 + 4096 + own);
  expect(usage.bytesOf('user:bob')).toBe(0);
  await store.close();

  // Documents stored before the migration count as much as new ones.
  const server = await backendOfTest({ directory, storageQuota: 7000 + 4096 + own });
  const session = await server.user('ann');
  const document = '/databases/db/collections/notes/documents/of-ann';
  const change = (k1: string) => server.request('PATCH', document, { session, body: { data: { k1 } } });
  expect(await change('x'.repeat(101))).toMatchObject({ status: 413 });
  expect(await change('x'.repeat(100))).toMatchObject({ status: 200 });
  await server.request('DELETE', '/databases/db/collections/notes/documents/may-delete', { asKey: true });
  expect(await change('x'.repeat(101))).toMatchObject({ status: 200 });
});
