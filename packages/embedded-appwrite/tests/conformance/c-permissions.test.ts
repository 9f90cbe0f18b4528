/** C: reading and granting permissions (contract 2.3). */
import { type Models, Permission, Query, Role } from 'node-appwrite';
import { error, FOREIGN_ROLE, invalid, NO_DOCUMENT, NOT_AUTHORIZED, refused } from './expect.ts';
import { expect, test } from './kit.ts';
import type { Person } from './people.ts';
import { type Collection, document, draft, owner, type Row } from './schema.ts';

const created = async ({ http, web }: Person, { documents, ids }: Collection, permissions: readonly string[]) => [
  await http.post(documents, draft({}, permissions)).json<Row>(201),
  await web.databases.createDocument({ ...ids, ...draft({}, permissions) }),
];

test('C15 a user cannot grant a role that he does not hold', async ({ ann, bob, key, sec }) => {
  const foreign = [Permission.read(Role.user(bob.id))];
  const own = await document(sec, {}, owner(ann.id));
  await refused(
    FOREIGN_ROLE,
    ann.http.post(sec.documents, draft({}, foreign)),
    ann.http.post(sec.documents, draft({}, [Permission.read(Role.team('staff'))])),
    ann.web.databases.createDocument({ ...sec.ids, ...draft({}, foreign) }),
    ann.http.patch(sec.document(own.$id), { permissions: foreign }),
  );
  expect((await key.http.post(sec.documents, draft({}, foreign)).json<Row>(201)).$permissions).toEqual(foreign);
});

test('C16 C18 C19 permissions are kept as given; write is update and delete', async ({ ann, guest, sec }) => {
  const [update, remove] = ['update', 'delete'].map((action) => `${action}("user:${ann.id}")`);
  for (const [given, kept, status] of [
    [['read("any")'], ['read("any")'], 200],
    [[], [], 404],
    [[Permission.write(Role.user(ann.id))], [remove, update], 404],
  ] as const) {
    for (const { $id, $permissions } of await created(ann, sec, given)) {
      expect([...$permissions].sort()).toEqual(kept);
      await guest.http.get(sec.document($id)).is(status);
    }
  }
});

test('C17 create is no permission of a document, and 101 are too many', async ({ ann: { http }, key, sec }) => {
  const create = (permission: string) => http.post(sec.documents, draft({}, [permission]));
  // Appwrite quotes the complete permission and lists more accepted actions.
  const message = /Permission "create.*" is not allowed\. Must be one of: read, update, delete, write\./;
  await refused(invalid('permissions', message), create('create("any")'));
  const malformed = ['x', 'read', 'read(any)', 'read("nobody")', 'read("user")', 'read("any:x")', 'read("users/odd")'];
  await refused(invalid('permissions'), ...malformed.map(create));
  const many = (length: number) => Array.from({ length }, (_, index) => `read("user:u${index}")`);
  const most = await key.http.post(sec.documents, draft({}, many(100))).json<Row>(201);
  expect(most.$permissions).toHaveLength(100);
  await refused(invalid('permissions'), key.http.post(sec.documents, draft({}, many(101))));
});

test('C21 a document of somebody else is not found', async ({ ann, bob, guest, sec }) => {
  const { $id } = await document(sec, {}, owner(ann.id));
  await ann.http.get(sec.document($id)).is(200);
  const rule = { ...NO_DOCUMENT, message: `Document with the requested ID '${$id}' could not be found.` };
  const sdk = bob.web.databases.getDocument({ ...sec.ids, documentId: $id });
  await refused(rule, bob.http.get(sec.document($id)), sdk, guest.http.get(sec.document($id)));
});

test('C22 a list holds and counts what the caller may read', async ({ ann, bob, guest, key, sec }) => {
  const mark = Math.floor(Math.random() * 1e9);
  const ids = [];
  for (const permissions of [['read("any")'], ['read("users")'], owner(ann.id), owner(bob.id), []])
    ids.push((await document(sec, { n: mark }, permissions)).$id);
  const query = { queries: [Query.equal('n', mark)] };
  const [open, users, anns, bobs] = ids;
  for (const [{ total, documents }, seen] of [
    [await bob.http.get(sec.documents, { query }).json<Models.DocumentList>(), [open, users, bobs]],
    [await bob.web.databases.listDocuments({ ...sec.ids, ...query }), [open, users, bobs]],
    [await ann.web.databases.listDocuments({ ...sec.ids, ...query }), [open, users, anns]],
    [await guest.web.databases.listDocuments({ ...sec.ids, ...query }), [open]],
    [await key.node.databases.listDocuments({ ...sec.ids, ...query }), ids],
  ] as const) {
    expect({ total, ids: documents.map(({ $id }) => $id) }).toEqual({ total: seen.length, ids: seen });
  }
});

test('C23 C24 C36 without document security a document’s permissions are none', async ({ ann, guest, key, prv }) => {
  const { id, http } = ann;
  await refused(error(401, 'user_unauthorized'), http.get(prv.documents), guest.http.get(prv.documents));
  await key.http.get(prv.documents).is(200);
  const path = prv.document((await document(prv, {}, [...owner(id), 'read("any")'])).$id);
  await key.http.get(path).is(200);
  await refused(NO_DOCUMENT, http.get(path));
  await refused(NOT_AUTHORIZED, http.patch(path, { data: { n: 1 } }), http.delete(path, {}));
});

test('C40 a document can be updated without the right to read it', async ({ ann: { id, http, web }, sec }) => {
  const { $id } = await document(sec, {}, [Permission.update(Role.user(id))]);
  await refused(NO_DOCUMENT, http.get(sec.document($id)));
  const raw = await http.patch(sec.document($id), { data: { n: 1 } }).json();
  expect(raw).toMatchObject({ $id, n: 1, title: 'A title' });
  expect(await web.databases.updateDocument({ ...sec.ids, documentId: $id, data: { n: 2 } })).toMatchObject({ n: 2 });
});
