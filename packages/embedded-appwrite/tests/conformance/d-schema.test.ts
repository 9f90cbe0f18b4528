/** D: databases, collections, attributes, indexes (contract 2.3). */
import { DatabasesIndexType, type Models } from 'node-appwrite';
import { later, once } from './cleanup.ts';
import { DATE, error, MISSING_SCOPE, refused } from './expect.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import { keyOf } from './people.ts';
import { available, type Collection, collection, collectionAt, database, document, index } from './schema.ts';

const shared = once(() => database());

async function empty(): Promise<Collection> {
  const made = collectionAt(await shared(), fresh('col'));
  const body = { collectionId: made.collectionId, name: 'Empty' };
  await keyOf().http.post(`/databases/${made.databaseId}/collections`, body).is(201);
  return made;
}

test('D01 databases and collections are made once, under ids that errors name', async ({ key: { http, node } }) => {
  const databaseId = fresh('db');
  later(() => http.delete(`/databases/${databaseId}`));
  const body = { databaseId, name: 'A database' };
  const kept = { $id: databaseId, name: 'A database', enabled: true, $createdAt: DATE, $updatedAt: DATE };
  expect(await http.post('/databases', body).json(201)).toMatchObject(kept);
  await refused(error(409, 'database_already_exists'), http.post('/databases', body), node.databases.create(body));
  const collections = `/databases/${databaseId}/collections`;
  const inside = { collectionId: 'things', name: 'Things', permissions: ['write("users")'] };
  const made = await http.post(collections, inside).json<Models.Collection>(201);
  const empty = { documentSecurity: false, attributes: [], indexes: [] };
  expect(made).toMatchObject({ $id: 'things', databaseId, name: 'Things', enabled: true, ...empty });
  expect([...made.$permissions].sort()).toEqual(['create("users")', 'delete("users")', 'update("users")']);
  const sdk = node.databases.createCollection({ databaseId, ...inside });
  await refused(error(409, 'collection_already_exists'), http.post(collections, inside), sdk);
  const missing = (type: string, what: string) =>
    error(404, type, `${what} with the requested ID 'nope' could not be found.`);
  const nope = [http.get('/databases/nope'), node.databases.get({ databaseId: 'nope' })];
  await refused(missing('database_not_found', 'Database'), ...nope);
  await refused(missing('collection_not_found', 'Collection'), http.get(`${collections}/nope`));
  expect((await node.databases.list({ search: 'database' })).total).toBeGreaterThanOrEqual(1);
  expect((await node.databases.listCollections({ databaseId })).total).toBe(1);
});

const STATUS = expect.stringMatching(/^(processing|available)$/);

test('D02 an attribute is accepted with 202, becomes available and exists once', async ({ key: { http, node } }) => {
  const { path, ids } = await empty();
  const body = { key: 'title', size: 128, required: true };
  const made = await http.post(`${path}/attributes/string`, body).json(202);
  expect(made).toMatchObject({ ...body, type: 'string', status: STATUS, array: false, default: null });
  await node.databases.createIntegerAttribute({ ...ids, key: 'n', required: false, min: 1, max: 5, xdefault: 3 });
  await available(http, `${path}/attributes`);
  expect(await http.get(`${path}/attributes`).json()).toMatchObject({ total: 2 });
  expect(await http.get(`${path}/attributes/n`).json()).toMatchObject({ type: 'integer', default: 3 });
  const sdk = node.databases.createBooleanAttribute({ ...ids, key: 'title', required: false });
  await refused(error(409, 'attribute_already_exists'), http.post(`${path}/attributes/string`, body), sdk);
  await refused(error(404, 'attribute_not_found'), http.get(`${path}/attributes/nope`));
});

test('D03 only optional attributes have a default, an enum one of its elements', async ({ key: { http, node } }) => {
  const { path, ids } = await empty();
  await refused(
    error(400, 'attribute_default_unsupported'),
    http.post(`${path}/attributes/string`, { key: 'a', size: 8, required: true, default: 'x' }),
    http.post(`${path}/attributes/string`, { key: 'b', size: 8, required: false, array: true, default: 'x' }),
    node.databases.createStringAttribute({ ...ids, key: 'c', size: 8, required: true, xdefault: 'x' }),
  );
  const choice = { elements: ['a', 'b'], required: false };
  const raw = http.post(`${path}/attributes/enum`, { ...choice, key: 'd', default: 'z' });
  const sdk = node.databases.createEnumAttribute({ ...ids, ...choice, key: 'e', xdefault: 'z' });
  await refused(error(400, 'attribute_value_invalid'), raw, sdk);
  expect((await node.databases.listAttributes(ids)).total).toBe(0);
});

test('D04 ranges must be possible; indexes need known attributes and answer 202', async ({ key: { http, node } }) => {
  const { path, ids } = await collection({}, await shared());
  const impossible = { key: 'r', required: false, min: 5, max: 1 };
  await refused(error(400, 'attribute_value_invalid'), http.post(`${path}/attributes/integer`, impossible));
  const unknown = { key: 'i0', type: DatabasesIndexType.Key, attributes: ['zzz'] };
  await refused(error(400, 'attribute_unknown'), http.post(`${path}/indexes`, unknown));
  const body = { key: 'i1', type: 'key', attributes: ['st', 'n'], orders: ['ASC', 'DESC'] };
  expect(await http.post(`${path}/indexes`, body).json(202)).toMatchObject({ ...body, status: STATUS });
  await node.databases.createIndex({ ...ids, key: 'i2', type: DatabasesIndexType.Fulltext, attributes: ['title'] });
  await available(http, `${path}/indexes`);
  expect((await node.databases.listIndexes(ids)).total).toBe(2);
  await refused(error(409, 'index_already_exists'), http.post(`${path}/indexes`, body));
});

test('D06 a collection tells its attributes and indexes', async ({ key: { http, node } }) => {
  const made = await collection({}, await shared());
  await index(made, 'byTitle', 'unique', ['title']);
  const wanted = [
    { key: 'title', type: 'string', size: 128, required: true, status: 'available' },
    { key: 'n', type: 'integer' },
    { key: 'st', type: 'string', format: 'enum', elements: ['a', 'b', 'c'] },
    { key: 'ok', type: 'boolean' },
    { key: 'at', type: 'datetime' },
    { key: 'u', type: 'string', format: 'url' },
    { key: 'm', type: 'string', format: 'email' },
  ].map((attribute) => expect.objectContaining(attribute));
  for (const seen of [await http.get(made.path).json(), await node.databases.getCollection(made.ids)]) {
    const { attributes, indexes } = seen as unknown as Models.Collection;
    expect(attributes).toEqual(expect.arrayContaining(wanted));
    expect(attributes).toHaveLength(7);
    expect(indexes).toMatchObject([{ key: 'byTitle', type: 'unique', attributes: ['title'], status: 'available' }]);
  }
});

test('D07 users and guests cannot make databases', async ({ ann, guest }) => {
  const body = { databaseId: fresh('db'), name: 'Mine' };
  const rule = { ...MISSING_SCOPE, message: /databases\.write/ };
  await refused(rule, ann.http.post('/databases', body), guest.http.post('/databases', body));
});

test('D08 a deleted database takes its documents along', async ({ key: { http, node } }) => {
  const [first, second] = [await collection(), await collection()];
  const { $id } = await document(first);
  await http.delete(`/databases/${first.databaseId}`).is(204);
  await node.databases.delete({ databaseId: second.databaseId });
  const rule = error(404, 'database_not_found');
  const message = `Database with the requested ID '${first.databaseId}' could not be found.`;
  await refused({ ...rule, message }, http.get(first.documents), http.get(first.document($id)));
  await refused(rule, http.get(second.documents));
});

test('D09 a disabled collection is gone for users and there for keys', async ({ ann, key: { http, node } }) => {
  const permissions = ['read("any")', 'create("any")'];
  const closed = await collection({ permissions }, await shared());
  const { $id } = await document(closed);
  await ann.http.get(closed.documents).is(200);
  const body = { name: 'Closed', permissions, enabled: false };
  expect(await http.put(closed.path, body).json()).toMatchObject({ enabled: false, name: 'Closed' });
  const rule = error(404, 'collection_not_found');
  await refused(rule, ann.http.get(closed.documents), ann.http.get(closed.document($id)));
  await http.get(closed.documents).is(200);
  expect((await node.databases.getDocument({ ...closed.ids, documentId: $id })).$id).toBe($id);
});
