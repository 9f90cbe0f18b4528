/** C: creating documents (contract 2.3). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { DATE, invalid, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { available, collection, document, owner, type Row, schema } from './schema.ts';

const db = once(() => schema(server()));
const ann = once(() => person(server()));

const body = (data: Record<string, unknown> = { title: 'A title' }) => ({ documentId: fresh('doc'), data });

line('C01', "without permissions a user's document is his to read, update and delete", async () => {
  const { sec } = await db();
  const { id, http, web, node } = await ann();
  const rows: Models.Document[] = [
    (await http.post(sec.documents, body())).is(201).json<Row>(),
    await web.databases.createDocument({ ...sec.ids, ...body() }),
    await node.databases.createDocument({ ...sec.ids, ...body() }),
  ];
  for (const row of rows) expect([...row.$permissions].sort()).toEqual(owner(id).sort());
  const { pub } = await db();
  const unsecured = (await http.post(pub.documents, body())).is(201).json<Row>();
  expect([...unsecured.$permissions].sort()).toEqual(owner(id).sort());
});

line('C02', "without permissions a key's document has none", async () => {
  const { sec } = await db();
  const { http, node } = admin(server());
  expect((await http.post(sec.documents, body())).is(201).json<Row>().$permissions).toEqual([]);
  expect((await node.databases.createDocument({ ...sec.ids, ...body() })).$permissions).toEqual([]);
});

line('C03', 'a guest may create where any may, and his document has no permissions', async () => {
  const { pub } = await db();
  const { http, web } = guest(server());
  expect((await http.post(pub.documents, body())).is(201).json<Row>().$permissions).toEqual([]);
  expect((await web.databases.createDocument({ ...pub.ids, ...body() })).$permissions).toEqual([]);
});

line('C04', 'a document names its database and collection, its sequence is a string', async () => {
  const { pub } = await db();
  const raw = (await guest(server()).http.post(pub.documents, body())).is(201).json<Row>();
  const sdk = await guest(server()).web.databases.getDocument({ ...pub.ids, documentId: raw.$id });
  for (const row of [raw, sdk]) {
    expect(row).toMatchObject({ $databaseId: pub.databaseId, $collectionId: pub.collectionId });
    expect(row.$sequence).toMatch(/^\d+$/);
    expect(row.$createdAt).toMatch(DATE);
    expect(row.$updatedAt).toMatch(DATE);
    expect(row).not.toHaveProperty('$collection');
    expect(row).not.toHaveProperty('$tenant');
  }
});

line('C05', 'optional attributes that were not given are null', async () => {
  const { pub } = await db();
  const nulls = { title: 'A title', n: null, st: null, ok: null, at: null, u: null, m: null };
  const row = (await guest(server()).http.post(pub.documents, body())).is(201).json<Row>();
  expect(row).toMatchObject(nulls);
  expect((await guest(server()).http.get(pub.document(row.$id))).is(200).json()).toMatchObject(nulls);
  expect(await guest(server()).web.databases.getDocument({ ...pub.ids, documentId: row.$id })).toMatchObject(nulls);
});

line('C06', 'creating without the right is 401', async () => {
  const { prv, sec } = await db();
  const { http, web, node } = await ann();
  await refused(
    {
      code: 401,
      type: 'user_unauthorized',
      message: /^(No permissions provided for action 'create'|Missing "create" permission)/,
    },
    http.post(prv.documents, body()),
    web.databases.createDocument({ ...prv.ids, ...body() }),
    node.databases.createDocument({ ...prv.ids, ...body() }),
    guest(server()).http.post(sec.documents, body()),
  );
});

line('C07', 'an id exists once in a collection, for keys too', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const taken = body();
  (await http.post(sec.documents, taken)).is(201);
  await refused(
    {
      code: 409,
      type: 'document_already_exists',
      message: `Document with the requested ID '${taken.documentId}' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.`,
    },
    http.post(sec.documents, taken),
    web.databases.createDocument({ ...sec.ids, ...taken }),
    admin(server()).http.post(sec.documents, taken),
    admin(server()).node.databases.createDocument({ ...sec.ids, ...taken }),
  );
});

line('C20', 'a user cannot set $createdAt, a key can', async () => {
  const { sec } = await db();
  const long = { title: 'Long ago', $createdAt: '2001-02-03T04:05:06.789+00:00' };
  const { http, web } = await ann();
  for (const row of [
    (await http.post(sec.documents, body(long))).is(201).json<Row>(),
    await web.databases.createDocument({ ...sec.ids, ...body(long) }),
  ]) {
    expect(Date.now() - Date.parse(row.$createdAt)).toBeLessThan(10 * 60_000);
  }
  const key = admin(server());
  const raw = (await key.http.post(sec.documents, body(long))).is(201).json<Row>();
  const sdk = await key.node.databases.createDocument({ ...sec.ids, ...body(long) });
  for (const row of [raw, sdk]) expect(row.$createdAt).toBe(long.$createdAt);
});

line('C32', 'a value that a unique index holds is 409', async () => {
  const { databaseId } = await db();
  const single = await collection(server(), databaseId, { permissions: ['create("users")'], documentSecurity: true });
  const key = admin(server());
  (await key.http.post(`${single.path}/indexes`, { key: 'one', type: 'unique', attributes: ['title'] })).is(202);
  await available(key.http, `${single.path}/indexes`);
  const row = await document(server(), single, { title: 'Only one' });
  const taken = { title: 'Only one' };
  const other = await document(server(), single, { title: 'Another' });
  expect(other.$id).not.toBe(row.$id);
  await refused(
    [
      { code: 409, type: 'document_unique_constraint_violation' },
      { code: 409, type: 'document_already_exists' },
    ],
    key.http.post(single.documents, body(taken)),
    (await ann()).web.databases.createDocument({ ...single.ids, ...body(taken) }),
    key.http.patch(single.document(other.$id), { data: taken }),
  );
});

line('C37', 'an id has at most 36 characters; unique() lets the server make one', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const longest = fresh('doc').padEnd(36, 'x');
  const data = { title: 'A title' };
  expect((await http.post(sec.documents, { documentId: longest, data })).is(201).json<Row>().$id).toBe(longest);
  (await http.get(sec.document(longest))).is(200);
  await refused(
    invalid('documentId'),
    http.post(sec.documents, { documentId: `${longest}x`, data }),
    web.databases.createDocument({ ...sec.ids, documentId: `${longest}x`, data }),
    http.post(sec.documents, { documentId: '.hidden', data }),
  );
  const made = (await http.post(sec.documents, { documentId: 'unique()', data })).is(201).json<Row>();
  expect(made.$id).toMatch(/^[a-zA-Z0-9]{20}$/);
});

line('C38', 'several documents at once are for keys', async () => {
  const { sec } = await db();
  const documents = () => [1, 2].map((n) => ({ $id: fresh('doc'), title: `Number ${n}`, n }));
  const { http, node } = await ann();
  await refused(
    { code: 401 },
    http.post(sec.documents, { documents: documents() }),
    node.databases.createDocuments({ ...sec.ids, documents: documents() }),
  );
  const key = admin(server());
  const wanted = documents();
  const raw = (await key.http.post(sec.documents, { documents: wanted })).is(201).json<Models.DocumentList<Row>>();
  expect(raw.total).toBe(2);
  expect(raw.documents).toMatchObject(wanted);
  const sdk = await key.node.databases.createDocuments({ ...sec.ids, documents: documents() });
  expect(sdk).toMatchObject({ total: 2, documents: [{ title: 'Number 1' }, { title: 'Number 2' }] });
});

line('C39', 'the same document is a row of the tables API', async () => {
  const { pub } = await db();
  const made = await document(server(), pub, { n: 7 });
  const { $collectionId, ...rest } = made;
  const ids = { databaseId: pub.databaseId, tableId: pub.collectionId, rowId: made.$id };
  const { http, web, node } = guest(server());
  const path = `/tablesdb/${ids.databaseId}/tables/${ids.tableId}/rows`;
  const raw = (await http.get(`${path}/${ids.rowId}`)).is(200).json();
  expect(raw).toEqual({ ...rest, $tableId: $collectionId });
  expect({ ...(await web.tables.getRow(ids)) }).toEqual(raw);
  expect({ ...(await node.tables.getRow(ids)) }).toEqual(raw);
  const rows = (await http.get(path)).is(200).json<Models.RowList>();
  expect(rows.rows.map(({ $id }) => $id)).toContain(made.$id);
  await refused(
    { code: 404, type: 'row_not_found', message: "Row with the requested ID 'nope' could not be found." },
    http.get(`${path}/nope`),
    web.tables.getRow({ ...ids, rowId: 'nope' }),
  );
});
