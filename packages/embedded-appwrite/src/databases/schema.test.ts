import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queries, type Send, startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

let backend: TestBackend;
let key: Send;
let count = 0;

beforeAll(async () => {
  backend = await startTestBackend();
  key = backend.sender('key');
  await key('POST', '/databases', { databaseId: 'd', name: 'D' });
});
afterAll(() => backend.stop());

async function collection(fields: object = {}): Promise<string> {
  const collectionId = `c${++count}`;
  const { status } = await key('POST', '/databases/d/collections', {
    collectionId,
    name: collectionId,
    ...fields,
  });
  expect(status).toBe(201);
  return `/databases/d/collections/${collectionId}`;
}

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

describe('collections', () => {
  it('come with attributes and indexes in one request, all or nothing', async () => {
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
    const { status } = await key('POST', '/databases/d/collections', {
      collectionId: 'half',
      name: 'Half',
      attributes: [{ key: 'a', type: 'boolean' }],
      indexes: [{ key: 'i', type: 'key', attributes: ['nope'] }],
    });
    expect(status).toBe(400);
    expect((await key('GET', '/databases/d/collections/half')).status).toBe(404);
  });

  it('expand write, and lose document security when PUT does not say it', async () => {
    const path = await collection({ permissions: ['write("users")'], documentSecurity: true });
    const { body } = await key('GET', path);
    expect(body.$permissions).toEqual(['create("users")', 'update("users")', 'delete("users")']);
    expect((await key('PUT', path, { name: 'Other' })).body).toMatchObject({
      documentSecurity: false,
      $permissions: body.$permissions,
    });
  });
});

describe('attributes', () => {
  it.each<[string, object, object]>([
    ['string', { size: 10, default: 'x' }, { type: 'string', size: 10, default: 'x', encrypt: false }],
    ['varchar', { size: 10 }, { type: 'varchar', size: 10 }],
    ['text', {}, { type: 'text' }],
    ['enum', { elements: ['a'] }, { type: 'string', format: 'enum', elements: ['a'] }],
    ['email', {}, { type: 'string', format: 'email' }],
    ['url', { default: 'https://a.example' }, { type: 'string', format: 'url', default: 'https://a.example' }],
    ['ip', {}, { type: 'string', format: 'ip' }],
    ['datetime', {}, { type: 'datetime', format: '' }],
    ['boolean', { default: false }, { type: 'boolean', default: false }],
    ['integer', { min: 1, max: 5, default: 3 }, { type: 'integer', min: 1, max: 5, default: 3 }],
    ['float', { min: 0.5 }, { type: 'double', min: 0.5 }],
    ['integer', { array: true }, { type: 'integer', array: true, default: null }],
  ])('of kind %s take %j', async (kind, fields, expected) => {
    const path = await collection();
    const made = await key('POST', `${path}/attributes/${kind}`, { key: 'k', required: false, ...fields });
    expect(made).toMatchObject({ status: 202, body: { key: 'k', status: 'available', error: '', ...expected } });
    expect((await key('GET', `${path}/attributes/k`)).body).toEqual(made.body);
  });

  it('tell 64-bit bounds exactly', async () => {
    const path = await collection();
    const { text } = await key('POST', `${path}/attributes/integer`, { key: 'k', required: false });
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
  ])('of kind %s refuse %j', async (kind, fields, type) => {
    const path = await collection();
    const { body } = await key('POST', `${path}/attributes/${kind}`, { key: 'k', required: false, ...fields });
    expect(body.type).toBe(type);
  });

  it('differing in case are two, equal ones are 409', async () => {
    const path = await collection();
    await key('POST', `${path}/attributes/boolean`, { key: 'Flag', required: false });
    expect((await key('POST', `${path}/attributes/integer`, { key: 'flag', required: false })).status).toBe(202);
    expect((await key('POST', `${path}/attributes/integer`, { key: 'flag', required: false })).body.type).toBe(
      'attribute_already_exists',
    );
    const made = await key('POST', `${path}/documents`, { documentId: 'x', data: { Flag: true, flag: 7 } });
    expect(made.body).toMatchObject({ Flag: true, flag: 7 });
  });

  it('fill a row as in the real server', async () => {
    const path = await collection();
    expect((await key('GET', path)).body).toMatchObject({ bytesMax: 65535, bytesUsed: 1067 });
    await key('POST', `${path}/attributes/string`, { key: 'a', size: 16_000, required: false });
    const { body } = await key('POST', `${path}/attributes/string`, { key: 'b', size: 1000, required: false });
    expect(body.type).toBe('attribute_limit_exceeded');
    expect((await key('POST', `${path}/attributes/string`, { key: 'b', size: 1e6, required: false })).status).toBe(202);
  });

  it('are renamed with their values and indexes', async () => {
    const path = await collection();
    await key('POST', `${path}/attributes/string`, { key: 'old', size: 9, required: false });
    await key('POST', `${path}/indexes`, { key: 'i', type: 'key', attributes: ['old'] });
    await key('POST', `${path}/documents`, { documentId: 'x', data: { old: 'value' } });
    const change = { required: false, default: null, newKey: 'new', size: 20 };
    expect((await key('PATCH', `${path}/attributes/string/old`, change)).body).toMatchObject({
      key: 'new',
      size: 20,
    });
    expect((await key('GET', `${path}/documents/x`)).body.new).toBe('value');
    expect((await key('GET', `${path}/indexes/i`)).body.attributes).toEqual(['new']);
    const smaller = { required: false, default: null, size: 4 };
    expect((await key('PATCH', `${path}/attributes/string/new`, smaller)).body.type).toBe('attribute_invalid_resize');
    expect((await key('PATCH', `${path}/attributes/boolean/new`, smaller)).body.type).toBe('attribute_type_invalid');
  });

  it('go with their values; indexes go on without them', async () => {
    const path = await collection();
    for (const name of ['a', 'b']) {
      await key('POST', `${path}/attributes/string`, { key: name, size: 9, required: false });
    }
    await key('POST', `${path}/indexes`, { key: 'both', type: 'key', attributes: ['a', 'b'] });
    await key('POST', `${path}/indexes`, { key: 'words', type: 'fulltext', attributes: ['a'] });
    await key('POST', `${path}/documents`, { documentId: 'x', data: { a: '1', b: '2' } });
    expect((await key('DELETE', `${path}/attributes/a`)).status).toBe(204);
    expect((await key('GET', `${path}/indexes`)).body).toMatchObject({
      total: 1,
      indexes: [{ attributes: ['b'] }],
    });
    expect((await key('GET', `${path}/documents/x`)).body).not.toHaveProperty('a');
    await key('POST', `${path}/attributes/string`, { key: 'a', size: 9, required: false });
    expect((await key('GET', `${path}/documents/x`)).body.a).toBeNull();
  });
});

describe('indexes', () => {
  async function indexed(): Promise<string> {
    return collection({
      attributes: [
        { key: 's', type: 'string', size: 50 },
        { key: 'long', type: 'string', size: 2000 },
        { key: 'n', type: 'integer' },
        { key: 'tags', type: 'string', size: 9, array: true },
      ],
    });
  }

  it.each<[object, string]>([
    [{ attributes: [] }, 'index_invalid'],
    [{ attributes: ['tags'] }, 'index_invalid'],
    [{ attributes: ['s', 's'] }, 'index_invalid'],
    [{ attributes: ['long'] }, 'index_invalid'],
    [{ type: 'fulltext', attributes: ['n'] }, 'index_invalid'],
    [{ type: 'spatial', attributes: ['s'] }, 'general_feature_unsupported'],
    [{ type: 'other', attributes: ['s'] }, 'general_argument_invalid'],
    [{ attributes: ['s'], orders: ['UP'] }, 'general_argument_invalid'],
  ])('refuse %j', async (fields, type) => {
    const path = await indexed();
    const { body } = await key('POST', `${path}/indexes`, { key: 'i', type: 'key', ...fields });
    expect(body.type).toBe(type);
  });

  it('are unique where asked, unless values repeat already', async () => {
    const path = await indexed();
    for (const id of ['a', 'b']) await key('POST', `${path}/documents`, { documentId: id, data: { n: 1 } });
    const index = { key: 'u', type: 'unique', attributes: ['n'] };
    expect((await key('POST', `${path}/indexes`, index)).body.type).toBe('index_invalid');
    await key('PATCH', `${path}/documents/b`, { data: { n: 2 } });
    expect((await key('POST', `${path}/indexes`, index)).status).toBe(202);
    const taken = await key('PATCH', `${path}/documents/b`, { data: { n: 1 } });
    expect(taken).toMatchObject({ status: 409, body: { type: 'document_already_exists' } });
    expect((await key('GET', `${path}/documents/b`)).body.n).toBe(2);
  });

  it('of full text are gone when they are deleted', async () => {
    const path = await indexed();
    await key('POST', `${path}/indexes`, { key: 'f', type: 'fulltext', attributes: ['s'] });
    const search = `${path}/documents?${queries({ method: 'search', attribute: 's', values: ['word'] })}`;
    expect((await key('GET', search)).status).toBe(200);
    await key('DELETE', `${path}/indexes/f`);
    expect((await key('GET', search)).body.type).toBe('general_query_invalid');
  });
});

describe('in the words of tables', () => {
  it('the same things have their other names', async () => {
    const path = await collection({ attributes: [{ key: 'n', type: 'integer' }] });
    const table = path.replace('/databases', '/tablesdb').replace('collections', 'tables');
    const { body } = await key('GET', table);
    expect(body).toMatchObject({ rowSecurity: false, columns: [{ key: 'n' }] });
    const index = await key('POST', `${table}/indexes`, { key: 'i', type: 'key', columns: ['n'] });
    expect(index).toMatchObject({ status: 202, body: { columns: ['n'] } });
    expect((await key('POST', `${table}/columns/integer`, { key: 'n', required: false })).body).toMatchObject({
      type: 'column_already_exists',
    });
    expect((await key('GET', '/tablesdb/d/tables/nope')).body).toMatchObject({
      type: 'table_not_found',
      message: "Table with the requested ID 'nope' could not be found.",
    });
    const row = await key('POST', `${table}/rows`, { rowId: 'r', data: { n: 1 } });
    expect(row).toMatchObject({ status: 201, body: { $id: 'r', n: 1, $tableId: path.split('/').at(-1) } });
    expect((await key('GET', `${table}/rows`)).body).toMatchObject({ total: 1, rows: [{ $id: 'r' }] });
    expect((await key('GET', `${table}/rows/nope`)).body).toMatchObject({
      type: 'row_not_found',
      message: "Row with the requested ID 'nope' could not be found.",
    });
    expect((await key('PATCH', `${table}/rows/r/n/increment`, { value: 2 })).body.n).toBe(3);
    expect((await key('GET', `${path}/documents/r`)).body).toMatchObject({ n: 3, $databaseId: 'd' });
  });

  it('a database made there says so and is read by both', async () => {
    expect((await key('POST', '/tablesdb', { databaseId: 't', name: 'T' })).body.type).toBe('tablesdb');
    expect((await key('GET', '/databases/t')).body.type).toBe('tablesdb');
  });
});
