/** D: databases, collections, attributes, indexes (contract 2.3). */
import { DatabasesIndexType, type Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later, once } from './cleanup.ts';
import { DATE, MISSING_SCOPE, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { available, Collection, collection, database, document } from './schema.ts';

const shared = once(() => database(server()));

async function empty(): Promise<Collection> {
  const made = new Collection(await shared(), fresh('col'));
  const body = { collectionId: made.collectionId, name: 'Empty' };
  (await admin(server()).http.post(`/databases/${made.databaseId}/collections`, body)).is(201);
  return made;
}

line('D01', 'databases and collections are made once, under ids that errors name', async () => {
  const { http, node } = admin(server());
  const databaseId = fresh('db');
  later(() => http.delete(`/databases/${databaseId}`));
  const body = { databaseId, name: 'A database' };
  expect((await http.post('/databases', body)).is(201).json()).toMatchObject({
    $id: databaseId,
    name: 'A database',
    enabled: true,
    $createdAt: expect.stringMatching(DATE),
    $updatedAt: expect.stringMatching(DATE),
  });
  await refused(
    { code: 409, type: 'database_already_exists' },
    http.post('/databases', body),
    node.databases.create(body),
  );
  const inside = { collectionId: 'things', name: 'Things', permissions: ['write("users")'] };
  const made = (await http.post(`/databases/${databaseId}/collections`, inside)).is(201).json<Models.Collection>();
  expect(made).toMatchObject({ $id: 'things', databaseId, name: 'Things', enabled: true, documentSecurity: false });
  expect([...made.$permissions].sort()).toEqual(['create("users")', 'delete("users")', 'update("users")']);
  expect(made).toMatchObject({ attributes: [], indexes: [] });
  await refused(
    { code: 409, type: 'collection_already_exists' },
    http.post(`/databases/${databaseId}/collections`, inside),
    node.databases.createCollection({ databaseId, ...inside }),
  );
  await refused(
    { code: 404, type: 'database_not_found', message: "Database with the requested ID 'nope' could not be found." },
    http.get('/databases/nope'),
    node.databases.get({ databaseId: 'nope' }),
  );
  await refused(
    { code: 404, type: 'collection_not_found', message: "Collection with the requested ID 'nope' could not be found." },
    http.get(`/databases/${databaseId}/collections/nope`),
    node.databases.getCollection({ databaseId, collectionId: 'nope' }),
  );
  expect((await node.databases.list({ search: 'database' })).total).toBeGreaterThanOrEqual(1);
  expect((await node.databases.listCollections({ databaseId })).total).toBe(1);
});

line('D02', 'an attribute is accepted with 202, becomes available and exists once', async () => {
  const { http, node } = admin(server());
  const { path, ids } = await empty();
  const body = { key: 'title', size: 128, required: true };
  expect((await http.post(`${path}/attributes/string`, body)).is(202).json()).toMatchObject({
    key: 'title',
    type: 'string',
    status: expect.stringMatching(/^(processing|available)$/),
    required: true,
    array: false,
    size: 128,
    default: null,
  });
  await node.databases.createIntegerAttribute({ ...ids, key: 'n', required: false, min: 1, max: 5, xdefault: 3 });
  await available(http, `${path}/attributes`);
  const list = (await http.get(`${path}/attributes`)).is(200).json<Models.AttributeList>();
  expect(list.total).toBe(2);
  expect((await http.get(`${path}/attributes/n`)).is(200).json()).toMatchObject({ type: 'integer', default: 3 });
  await refused(
    { code: 409, type: 'attribute_already_exists' },
    http.post(`${path}/attributes/string`, body),
    node.databases.createBooleanAttribute({ ...ids, key: 'title', required: false }),
  );
  await refused({ code: 404, type: 'attribute_not_found' }, http.get(`${path}/attributes/nope`));
});

line('D03', 'a default needs an optional attribute, and the default of an enum one of its elements', async () => {
  const { http, node } = admin(server());
  const { path, ids } = await empty();
  await refused(
    { code: 400, type: 'attribute_default_unsupported' },
    http.post(`${path}/attributes/string`, { key: 'a', size: 8, required: true, default: 'x' }),
    http.post(`${path}/attributes/string`, { key: 'b', size: 8, required: false, array: true, default: 'x' }),
    node.databases.createStringAttribute({ ...ids, key: 'c', size: 8, required: true, xdefault: 'x' }),
  );
  await refused(
    { code: 400, type: 'attribute_value_invalid' },
    http.post(`${path}/attributes/enum`, { key: 'd', elements: ['a', 'b'], required: false, default: 'z' }),
    node.databases.createEnumAttribute({ ...ids, key: 'e', elements: ['a', 'b'], required: false, xdefault: 'z' }),
  );
  expect((await node.databases.listAttributes(ids)).total).toBe(0);
});

line('D04', 'impossible ranges and indexes on unknown attributes are 400; an index is accepted with 202', async () => {
  const { http, node } = admin(server());
  const { path, ids } = await collection(server(), await shared());
  await refused(
    { code: 400, type: 'attribute_value_invalid' },
    http.post(`${path}/attributes/integer`, { key: 'r', required: false, min: 5, max: 1 }),
    node.databases.createIntegerAttribute({ ...ids, key: 'r', required: false, min: 5, max: 1 }),
  );
  const unknown = { key: 'i0', type: DatabasesIndexType.Key, attributes: ['zzz'] };
  await refused(
    { code: 400, type: 'attribute_unknown' },
    http.post(`${path}/indexes`, unknown),
    node.databases.createIndex({ ...ids, ...unknown }),
  );
  const body = { key: 'i1', type: 'key', attributes: ['st', 'n'], orders: ['ASC', 'DESC'] };
  expect((await http.post(`${path}/indexes`, body)).is(202).json()).toMatchObject({
    key: 'i1',
    type: 'key',
    status: expect.stringMatching(/^(processing|available)$/),
    attributes: ['st', 'n'],
    orders: ['ASC', 'DESC'],
  });
  await node.databases.createIndex({ ...ids, key: 'i2', type: DatabasesIndexType.Fulltext, attributes: ['title'] });
  await available(http, `${path}/indexes`);
  expect((await node.databases.listIndexes(ids)).total).toBe(2);
  await refused({ code: 409, type: 'index_already_exists' }, http.post(`${path}/indexes`, body));
});

line('D06', 'a collection tells its attributes and indexes', async () => {
  const { http, node } = admin(server());
  const { path, ids } = await collection(server(), await shared());
  (await http.post(`${path}/indexes`, { key: 'byTitle', type: 'unique', attributes: ['title'] })).is(202);
  await available(http, `${path}/indexes`);
  for (const seen of [(await http.get(path)).is(200).json(), await node.databases.getCollection(ids)]) {
    const { attributes, indexes } = seen as unknown as Models.Collection;
    expect(attributes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'title', type: 'string', size: 128, required: true, status: 'available' }),
        expect.objectContaining({ key: 'n', type: 'integer' }),
        expect.objectContaining({ key: 'st', type: 'string', format: 'enum', elements: ['a', 'b', 'c'] }),
        expect.objectContaining({ key: 'ok', type: 'boolean' }),
        expect.objectContaining({ key: 'at', type: 'datetime' }),
        expect.objectContaining({ key: 'u', type: 'string', format: 'url' }),
        expect.objectContaining({ key: 'm', type: 'string', format: 'email' }),
      ]),
    );
    expect(attributes).toHaveLength(7);
    expect(indexes).toMatchObject([{ key: 'byTitle', type: 'unique', attributes: ['title'], status: 'available' }]);
  }
});

line('D07', 'users and guests cannot make databases', async () => {
  const { http, node } = await person(server());
  const body = { databaseId: fresh('db'), name: 'Mine' };
  await refused(
    { ...MISSING_SCOPE, message: /databases\.write/ },
    http.post('/databases', body),
    guest(server()).http.post('/databases', body),
    node.databases.create(body),
  );
});

line('D08', 'a deleted database takes its documents along', async () => {
  const { http, node } = admin(server());
  const [first, second] = [
    await collection(server(), await database(server())),
    await collection(server(), await database(server())),
  ];
  const { $id } = await document(server(), first);
  (await http.delete(`/databases/${first.databaseId}`)).is(204);
  await node.databases.delete({ databaseId: second.databaseId });
  await refused(
    {
      code: 404,
      type: 'database_not_found',
      message: `Database with the requested ID '${first.databaseId}' could not be found.`,
    },
    http.get(first.documents),
    http.get(first.document($id)),
    node.databases.listDocuments(first.ids),
  );
  await refused({ code: 404, type: 'database_not_found' }, http.get(second.documents));
});

line('D09', 'a disabled collection is gone for users and there for keys', async () => {
  const { http, node } = admin(server());
  const user = await person(server());
  const permissions = ['read("any")', 'create("any")'];
  const closed = await collection(server(), await shared(), { permissions });
  const { $id } = await document(server(), closed);
  (await user.http.get(closed.documents)).is(200);
  const body = { name: 'Closed', permissions, enabled: false };
  expect((await http.put(closed.path, body)).is(200).json()).toMatchObject({ enabled: false, name: 'Closed' });
  await refused(
    { code: 404, type: 'collection_not_found' },
    user.http.get(closed.documents),
    user.http.get(closed.document($id)),
    user.web.databases.listDocuments(closed.ids),
  );
  (await http.get(closed.documents)).is(200);
  expect((await node.databases.getDocument({ ...closed.ids, documentId: $id })).$id).toBe($id);
});
