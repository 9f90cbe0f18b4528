/** A manipulated backup can neither write outside the data folder nor make SQLite run a trigger. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { folderOfTest } from '../../tests/support/folder.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore } from '../sqlite/store.ts';
import { checkCopy } from './check-copy.ts';
import { schemaFaults } from './check-schema.ts';
import { takeCopy } from './take-copy.ts';

let backend: TestBackend;
beforeEach(async () => {
  backend = await backendOfTest();
  const documents = await backend.collection('c', {
    attributes: [
      { key: 'title', type: 'string', size: 100, default: "it's (-- a" },
      { key: 'n', type: 'double', array: true },
    ],
    indexes: [
      { key: 'one', type: 'key', attributes: ['title', '$createdAt'], orders: ['ASC', 'DESC'] },
      { key: 'two', type: 'fulltext', attributes: ['title'] },
    ],
  });
  await backend.request('POST', documents, { as: 'key', body: { documentId: 'd', data: { title: 'words' } } });
  await backend.bucket('bk', { permissions: ['read("any")', 'delete("any")'] });
  expect((await backend.upload('bk', 'f', 'the bytes', { as: 'key' })).status).toBe(201);
});

it('the schema that this release makes has no faults, nor has one that it brought to its version', async () => {
  expect(schemaFaults(backend.directory)).toEqual([]);
  const directory = folderOfTest();
  for (let versions = 1; versions <= MIGRATIONS.length; versions++) {
    await openStore(directory, MIGRATIONS.slice(0, versions)).close();
    expect(schemaFaults(directory)).toEqual([]);
  }
});

const DELETED = 'TRIGGER users_deleted';
const SELECT = 'BEGIN SELECT 1; END';

it.each([
  ['a trigger', `CREATE TRIGGER evil AFTER INSERT ON files ${SELECT}`, 'trigger evil'],
  ['a view', 'CREATE VIEW evil AS SELECT * FROM users', 'view evil'],
  ['a table', 'CREATE TABLE documents_evil (x)', 'table documents_evil'],
  ['an index of an expression', 'CREATE INDEX index_99 ON documents_1 (abs(sequence) ASC)', 'index index_99'],
  ['a computed column', 'ALTER TABLE documents_1 ADD COLUMN evil TEXT AS (hex(id)) VIRTUAL', 'table documents_1'],
  ['a view for a table', 'ALTER TABLE users RENAME TO evil; CREATE VIEW users AS SELECT * FROM evil', 'view users'],
  ['another trigger under a known name', `DROP ${DELETED}; CREATE ${DELETED} AFTER DELETE ON users ${SELECT}`, DELETED],
  ['a trigger that is gone', 'DROP TRIGGER memberships_left', 'missing the trigger memberships_left'],
  ['a virtual table', "CREATE VIRTUAL TABLE fulltext_99 USING fts5 (a1, content = 'users')", 'table fulltext_99'],
  ['a version that there never was', 'PRAGMA user_version = 9999', 'version 9999'],
])('%s is a fault of the schema, in a sentence', (_, sql, named) => {
  backend.sql(sql);
  const faults = schemaFaults(backend.directory);
  expect(faults.join().toLowerCase()).toContain(named.toLowerCase());
  for (const fault of faults) expect(fault).toMatch(/^The .+\.$/);
});

const NAMES = ['../../outside', '/etc/hostname', 'aa/../../../outside', '..', 'a\0b', ''];
it.each(NAMES)('a stored file named %j is not found, deletes nothing else and is in no copy', async (blob) => {
  const outside = join(backend.directory, 'storage', '..', 'outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'kept'), 'kept');
  backend.sql(`UPDATE files SET blob = ${blob.includes('\0') ? "'a' || char(0) || 'b'" : `'${blob}'`}`);
  await backend.restart();
  const file = '/storage/buckets/bk/files/f';
  const missing = { status: 404, body: { type: 'storage_file_not_found' } };
  for (const way of ['view', 'download']) expect(await backend.request('GET', `${file}/${way}`)).toMatchObject(missing);
  expect((await checkCopy(backend.directory)).faults).toEqual([
    expect.stringMatching(/file f .* is not a valid name\.$/),
  ]);
  const copy = join(backend.directory, 'copy');
  await expect(takeCopy(backend.directory, copy)).rejects.toThrow('stored files are missing');
  expect((await backend.request('DELETE', file)).status).toBe(204);
  expect(readdirSync(outside)).toEqual(['kept']);
  expect(existsSync('/etc/hostname')).toBe(true);
});
