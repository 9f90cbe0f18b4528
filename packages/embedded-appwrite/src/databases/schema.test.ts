import { expect, it } from 'vitest';
import { queries, type Send } from '../../tests/support/backend.ts';
import { useBackend } from '../../tests/support/use-backend.ts';

let key: Send;
let count = 0;
const backend = useBackend({}, async ({ server }) => {
  key = server.sender('key');
});

const collection = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await backend.collection(`c${++count}`, fields)).replace('/documents', '');

const add = (path: string, kind: string, name: string, fields: object = {}) =>
  key('POST', `${path}/attributes/${kind}`, { key: name, required: false, ...fields });
const index = (path: string, name: string, type: string, ...attributes: string[]) =>
  key('POST', `${path}/indexes`, { key: name, type, attributes });
const store = (path: string, data: object, documentId = 'x') => key('POST', `${path}/documents`, { documentId, data });

it('a disabled database exists for keys alone, and a deleted one leaves nothing to its successor', async () => {
  const guest = backend.sender('guest');
  const path = '/databases/tmp/collections/c/documents';
  await key('POST', '/databases', { databaseId: 'tmp', name: 'Tmp' });
  await key('POST', '/databases/tmp/collections', { collectionId: 'c', name: 'C', permissions: ['read("any")'] });
  expect((await guest('GET', path)).status).toBe(200);
  expect((await key('PUT', '/databases/tmp', { name: 'New', enabled: false })).body).toMatchObject({ name: 'New' });
  expect((await guest('GET', path)).body.type).toBe('database_not_found');
  expect((await key('DELETE', '/databases/tmp')).status).toBe(204);
  await key('POST', '/databases', { databaseId: 'tmp', name: 'Again' });
  expect((await key('GET', '/databases/tmp/collections/c')).body.type).toBe('collection_not_found');
});

it('collections come with attributes and indexes in one request, all or nothing', async () => {
  const path = await collection({
    attributes: [
      { key: 'title', type: 'string', size: 100, required: true },
      { key: 'state', type: 'string', format: 'enum', elements: ['a', 'b'], default: 'a' },
    ],
    indexes: [{ key: 'i', type: 'key', attributes: ['state', '$createdAt'], orders: ['asc', 'desc'] }],
  });
  const { body } = await key('GET', path);
  expect(body.attributes).toMatchObject([
    { key: 'title', size: 100, status: 'available', required: true, default: null },
    { key: 'state', type: 'string', format: 'enum', elements: ['a', 'b'], default: 'a' },
  ]);
  expect(body.indexes).toMatchObject([{ key: 'i', orders: ['ASC', 'DESC'], status: 'available' }]);
  const indexes = [{ key: 'i', type: 'key', attributes: ['nope'] }];
  const half = { collectionId: 'half', name: 'Half', attributes: [{ key: 'a', type: 'boolean' }], indexes };
  expect((await key('POST', '/databases/d/collections', half)).status).toBe(400);
  expect((await key('GET', '/databases/d/collections/half')).status).toBe(404);
});

it('collections lose document security, and keep permissions, when PUT does not say it', async () => {
  const path = await collection({ permissions: ['create("users")'], documentSecurity: true });
  const kept = { documentSecurity: false, $permissions: ['create("users")'] };
  expect((await key('PUT', path, { name: 'Other' })).body).toMatchObject(kept);
});

it.each<[string, object, object]>([
  ['string', { size: 10, default: 'x' }, { type: 'string', size: 10, default: 'x', encrypt: false }],
  ['varchar', { size: 10 }, { type: 'varchar', size: 10 }],
  ['text', {}, { type: 'text' }],
  ['url', { default: 'https://a.example' }, { type: 'string', format: 'url', default: 'https://a.example' }],
  ['ip', {}, { type: 'string', format: 'ip' }],
  ['datetime', {}, { type: 'datetime', format: '' }],
  ['boolean', { default: false }, { type: 'boolean', default: false }],
  ['integer', { min: 1, max: 5, default: 3 }, { type: 'integer', min: 1, max: 5, default: 3 }],
  ['float', { min: 0.5 }, { type: 'double', min: 0.5 }],
  ['integer', { array: true }, { type: 'integer', array: true, default: null }],
])('attributes of kind %s take %j', async (kind, fields, expected) => {
  const path = await collection();
  const made = await add(path, kind, 'k', fields);
  expect(made).toMatchObject({ status: 202, body: { key: 'k', status: 'available', error: '', ...expected } });
  expect((await key('GET', `${path}/attributes/k`)).body).toEqual(made.body);
});

it('attributes tell 64-bit bounds exactly', async () => {
  const { text } = await add(await collection(), 'integer', 'k');
  expect(text).toContain('"min":-9223372036854775808,"max":9223372036854775807');
});

it.each<[string, object, string]>([
  ['string', { size: 0 }, 'general_argument_invalid'],
  ['string', {}, 'general_argument_invalid'],
  ['string', { size: 2, default: 'xxx' }, 'attribute_value_invalid'],
  ['string', { size: 9, encrypt: true }, 'general_feature_unsupported'],
  ['enum', { elements: [] }, 'attribute_value_invalid'],
  ['integer', { min: 1, max: 5, default: 6 }, 'attribute_value_invalid'],
  ['string', { size: 10, key: 'no space' }, 'general_argument_invalid'],
  ['relationship', {}, 'general_feature_unsupported'],
])('attributes of kind %s refuse %j', async (kind, fields, type) =>
  expect((await add(await collection(), kind, 'k', fields)).body.type).toBe(type),
);

it('attributes differing in case are two', async () => {
  const path = await collection();
  await add(path, 'boolean', 'Flag');
  expect((await add(path, 'integer', 'flag')).status).toBe(202);
  expect((await store(path, { Flag: true, flag: 7 })).body).toMatchObject({ Flag: true, flag: 7 });
});

it('attributes fill a row as in the real server', async () => {
  const path = await collection();
  expect((await key('GET', path)).body).toMatchObject({ bytesMax: 65535, bytesUsed: 1067 });
  await add(path, 'string', 'a', { size: 16_000 });
  expect((await add(path, 'string', 'b', { size: 1000 })).body.type).toBe('attribute_limit_exceeded');
  expect((await add(path, 'string', 'b', { size: 1e6 })).status).toBe(202);
});

it('attributes are renamed with their values and indexes', async () => {
  const path = await collection();
  await add(path, 'string', 'old', { size: 9 });
  await index(path, 'i', 'key', 'old');
  await store(path, { old: 'value' });
  const change = { required: false, default: null, newKey: 'new', size: 20 };
  expect((await key('PATCH', `${path}/attributes/string/old`, change)).body).toMatchObject({ key: 'new', size: 20 });
  expect((await key('GET', `${path}/documents/x`)).body.new).toBe('value');
  expect((await key('GET', `${path}/indexes/i`)).body.attributes).toEqual(['new']);
  const smaller = { required: false, default: null, size: 4 };
  expect((await key('PATCH', `${path}/attributes/string/new`, smaller)).body.type).toBe('attribute_invalid_resize');
  expect((await key('PATCH', `${path}/attributes/boolean/new`, smaller)).body.type).toBe('attribute_type_invalid');
});

it('attributes go with their values; indexes go on without them', async () => {
  const path = await collection();
  for (const name of ['a', 'b']) await add(path, 'string', name, { size: 9 });
  await index(path, 'both', 'key', 'a', 'b');
  await index(path, 'words', 'fulltext', 'a');
  await store(path, { a: '1', b: '2' });
  expect((await key('DELETE', `${path}/attributes/a`)).status).toBe(204);
  expect((await key('GET', `${path}/indexes`)).body).toMatchObject({ total: 1, indexes: [{ attributes: ['b'] }] });
  expect((await key('GET', `${path}/documents/x`)).body).not.toHaveProperty('a');
  await add(path, 'string', 'a', { size: 9 });
  expect((await key('GET', `${path}/documents/x`)).body.a).toBeNull();
});

const attributes = [
  { key: 's', type: 'string', size: 50 },
  { key: 'long', type: 'string', size: 2000 },
  { key: 'n', type: 'integer' },
  { key: 'tags', type: 'string', size: 9, array: true },
];

it.each<[object, string]>([
  [{ attributes: [] }, 'index_invalid'],
  [{ attributes: ['tags'] }, 'index_invalid'],
  [{ attributes: ['s', 's'] }, 'index_invalid'],
  [{ attributes: ['long'] }, 'index_invalid'],
  [{ type: 'fulltext', attributes: ['n'] }, 'index_invalid'],
  [{ type: 'spatial', attributes: ['s'] }, 'general_feature_unsupported'],
  [{ type: 'other', attributes: ['s'] }, 'general_argument_invalid'],
  [{ attributes: ['s'], orders: ['UP'] }, 'general_argument_invalid'],
])('indexes refuse %j', async (fields, type) => {
  const path = await collection({ attributes });
  const { body } = await key('POST', `${path}/indexes`, { key: 'i', type: 'key', ...fields });
  expect(body.type).toBe(type);
});

it('indexes are unique where asked, unless values repeat already', async () => {
  const path = await collection({ attributes });
  for (const id of ['a', 'b']) await store(path, { n: 1 }, id);
  expect((await index(path, 'u', 'unique', 'n')).body.type).toBe('index_invalid');
  await key('PATCH', `${path}/documents/b`, { data: { n: 2 } });
  expect((await index(path, 'u', 'unique', 'n')).status).toBe(202);
});

it('indexes of full text are gone when they are deleted', async () => {
  const path = await collection({ attributes });
  await index(path, 'f', 'fulltext', 's');
  const search = `${path}/documents?${queries({ method: 'search', attribute: 's', values: ['word'] })}`;
  expect((await key('GET', search)).status).toBe(200);
  await key('DELETE', `${path}/indexes/f`);
  expect((await key('GET', search)).body.type).toBe('general_query_invalid');
});

it('in the words of tables the same things have their other names', async () => {
  const path = await collection({ attributes: [{ key: 'n', type: 'integer' }] });
  const table = path.replace('/databases', '/tablesdb').replace('collections', 'tables');
  expect((await key('GET', table)).body).toMatchObject({ rowSecurity: false, columns: [{ key: 'n' }] });
  const made = await key('POST', `${table}/indexes`, { key: 'i', type: 'key', columns: ['n'] });
  expect(made).toMatchObject({ status: 202, body: { columns: ['n'] } });
  const taken = await key('POST', `${table}/columns/integer`, { key: 'n', required: false });
  expect(taken.body.type).toBe('column_already_exists');
  const missing = { type: 'table_not_found', message: "Table with the requested ID 'nope' could not be found." };
  expect((await key('GET', '/tablesdb/d/tables/nope')).body).toMatchObject(missing);
  const row = await key('POST', `${table}/rows`, { rowId: 'r', data: { n: 1 } });
  expect(row).toMatchObject({ status: 201, body: { $id: 'r', n: 1, $tableId: path.split('/').at(-1) } });
  expect((await key('PATCH', `${table}/rows/r/n/increment`, { value: 2 })).body.n).toBe(3);
  expect((await key('GET', `${path}/documents/r`)).body).toMatchObject({ n: 3, $databaseId: 'd' });
  expect((await key('POST', '/tablesdb', { databaseId: 't', name: 'T' })).body.type).toBe('tablesdb');
  expect((await key('GET', '/databases/t')).body.type).toBe('tablesdb');
  const columns = [{ key: 'n', type: 'integer' }];
  await key('POST', '/tablesdb/t/tables', { tableId: 'c', name: 'C', columns });
  expect((await key('POST', '/tablesdb/t/tables/c/rows', { rowId: 'r', data: { n: 1 } })).status).toBe(201);
  const named = ['databases.t.collections.c.documents.r.create', 'tablesdb.t.tables.c.rows.r.create'];
  expect(backend.events.at(-1)?.events).toEqual(expect.arrayContaining(named));
});
