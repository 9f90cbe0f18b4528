/** C: reading and granting permissions (contract 2.3). */
import type { Models } from 'node-appwrite';
import { Permission, Query, Role } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { invalid, NOT_AUTHORIZED, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { document, owner, type Row, schema } from './schema.ts';

const db = once(() => schema(server()));
const ann = once(() => person(server()));
const bob = once(() => person(server()));

const body = (permissions: readonly string[]) => ({
  documentId: fresh('doc'),
  data: { title: 'A title' },
  permissions: [...permissions],
});

line('C15', 'a user cannot grant a role that he does not hold', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const foreign = [Permission.read(Role.user((await bob()).id))];
  const rule = { code: 401, type: 'user_unauthorized', message: /^Permissions must be one of: \(/ };
  const own = await document(server(), sec, {}, owner((await ann()).id));
  await refused(
    rule,
    http.post(sec.documents, body(foreign)),
    http.post(sec.documents, body([Permission.read(Role.team('staff'))])),
    web.databases.createDocument({ ...sec.ids, ...body(foreign) }),
    web.databases.updateDocument({ ...sec.ids, documentId: own.$id, permissions: foreign }),
  );
  const byKey = (await admin(server()).http.post(sec.documents, body(foreign))).is(201).json<Row>();
  expect(byKey.$permissions).toEqual(foreign);
});

line('C16', 'a user can open a document to everybody', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const open = [Permission.read(Role.any())];
  const raw = (await http.post(sec.documents, body(open))).is(201).json<Row>();
  const sdk = await web.databases.createDocument({ ...sec.ids, ...body(open) });
  for (const { $id, $permissions } of [raw, sdk]) {
    expect($permissions).toEqual(open);
    (await guest(server()).http.get(sec.document($id))).is(200);
  }
});

line('C17', 'create is no permission of a document', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  // A real server repeats the whole permission and adds further accepted actions.
  const message =
    /^Invalid `permissions` param: Permission "create.*" is not allowed\. Must be one of: read, update, delete, write\./;
  await refused(
    { ...invalid('permissions'), message },
    http.post(sec.documents, body(['create("any")'])),
    web.databases.createDocument({ ...sec.ids, ...body(['create("any")']) }),
  );
  await refused(
    invalid('permissions'),
    http.post(sec.documents, body(['nonsense'])),
    http.post(sec.documents, body(['read("nobody")'])),
  );
});

line('C18', 'an empty list of permissions stays empty', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  expect((await http.post(sec.documents, body([]))).is(201).json<Row>().$permissions).toEqual([]);
  expect((await web.databases.createDocument({ ...sec.ids, ...body([]) })).$permissions).toEqual([]);
});

line('C19', 'write stands for update and delete', async () => {
  const { sec } = await db();
  const { id, http, web } = await ann();
  const expected = [Permission.delete(Role.user(id)), Permission.update(Role.user(id))].sort();
  const write = [Permission.write(Role.user(id))];
  const raw = (await http.post(sec.documents, body(write))).is(201).json<Row>();
  const sdk = await web.databases.createDocument({ ...sec.ids, ...body(write) });
  for (const row of [raw, sdk]) expect([...row.$permissions].sort()).toEqual(expected);
});

line('C21', 'a document of somebody else is not found', async () => {
  const { sec } = await db();
  const { $id } = await document(server(), sec, {}, owner((await ann()).id));
  (await (await ann()).http.get(sec.document($id))).is(200);
  await refused(
    { code: 404, type: 'document_not_found', message: `Document with the requested ID '${$id}' could not be found.` },
    (await bob()).http.get(sec.document($id)),
    (await bob()).web.databases.getDocument({ ...sec.ids, documentId: $id }),
    guest(server()).http.get(sec.document($id)),
  );
});

line('C22', 'a list holds and counts what the caller may read', async () => {
  const { sec } = await db();
  const mark = Math.floor(Math.random() * 1e9);
  const [a, b] = [(await ann()).id, (await bob()).id];
  const open = await document(server(), sec, { n: mark }, ['read("any")']);
  const users = await document(server(), sec, { n: mark }, ['read("users")']);
  const anns = await document(server(), sec, { n: mark }, owner(a));
  const bobs = await document(server(), sec, { n: mark }, owner(b));
  await document(server(), sec, { n: mark });
  const query = { queries: [Query.equal('n', mark)] };
  const seen = ({ total, documents }: { total: number; documents: { $id: string }[] }) => ({
    total,
    ids: documents.map(({ $id }) => $id),
  });
  const raw = (await (await bob()).http.get(sec.documents, { query })).is(200).json<Models.DocumentList>();
  const sdk = await (await bob()).web.databases.listDocuments({ ...sec.ids, ...query });
  for (const list of [raw, sdk]) expect(seen(list)).toEqual({ total: 3, ids: [open.$id, users.$id, bobs.$id] });
  const own = await (await ann()).web.databases.listDocuments({ ...sec.ids, ...query });
  expect(seen(own)).toEqual({ total: 3, ids: [open.$id, users.$id, anns.$id] });
  const guests = await guest(server()).web.databases.listDocuments({ ...sec.ids, ...query });
  expect(seen(guests)).toEqual({ total: 1, ids: [open.$id] });
  expect((await admin(server()).node.databases.listDocuments({ ...sec.ids, ...query })).total).toBe(5);
});

line('C23', 'a list without any right is 401', async () => {
  const { prv } = await db();
  const { http, web } = await ann();
  await refused(
    { code: 401, type: 'user_unauthorized' },
    http.get(prv.documents),
    web.databases.listDocuments(prv.ids),
    guest(server()).http.get(prv.documents),
  );
  (await admin(server()).http.get(prv.documents)).is(200);
});

line('C24', 'a document of a collection without right is not found', async () => {
  const { prv } = await db();
  const { http, web } = await ann();
  const { $id } = await document(server(), prv);
  await refused(
    { code: 404, type: 'document_not_found' },
    http.get(prv.document($id)),
    web.databases.getDocument({ ...prv.ids, documentId: $id }),
  );
  (await admin(server()).http.get(prv.document($id))).is(200);
});

line('C36', 'without document security the permissions of a document give no right', async () => {
  const { prv } = await db();
  const { id, http, web } = await ann();
  const { $id } = await document(server(), prv, {}, [...owner(id), 'read("any")']);
  await refused(
    { code: 404, type: 'document_not_found' },
    http.get(prv.document($id)),
    web.databases.getDocument({ ...prv.ids, documentId: $id }),
  );
  await refused(NOT_AUTHORIZED, http.patch(prv.document($id), { data: { n: 1 } }), http.delete(prv.document($id), {}));
});

line('C40', 'a document can be updated without the right to read it', async () => {
  const { sec } = await db();
  const { id, http, web } = await ann();
  const { $id } = await document(server(), sec, {}, [Permission.update(Role.user(id))]);
  await refused({ code: 404, type: 'document_not_found' }, http.get(sec.document($id)));
  const raw = (await http.patch(sec.document($id), { data: { n: 1 } })).is(200).json<Row>();
  expect(raw).toMatchObject({ $id, n: 1, title: 'A title' });
  expect(await web.databases.updateDocument({ ...sec.ids, documentId: $id, data: { n: 2 } })).toMatchObject({ n: 2 });
});
