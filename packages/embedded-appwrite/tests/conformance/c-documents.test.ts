/** C: creating, updating, upserting and deleting documents, their values and limits (contract 1.8, 2.3). */
import { type Models, Permission, Role } from 'node-appwrite';
import { pause } from './cleanup.ts';
import { DATE, error, invalid, LIMITED, NO_DOCUMENT, NOT_AUTHORIZED, refused, UNAUTHORIZED } from './expect.ts';
import { inOneWindow } from './facilities.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import { guestOf, keyOf, person } from './people.ts';
import { type Collection, collection, document, draft, index, owner, type Row, schema } from './schema.ts';

test("C01 without permissions a user's document is his to read, update and delete", async ({ ann, pub, sec }) => {
  for (const row of [
    await ann.http.post(sec.documents, draft()).json<Row>(201),
    await ann.web.databases.createDocument({ ...sec.ids, ...draft() }),
    await ann.node.databases.createDocument({ ...sec.ids, ...draft() }),
    await ann.http.post(pub.documents, draft()).json<Row>(201),
  ]) {
    expect([...row.$permissions].sort()).toEqual(owner(ann.id).sort());
  }
});

test("C02 without permissions a key's document has none", async ({ key: { http, node }, sec }) => {
  expect(await http.post(sec.documents, draft()).json(201)).toMatchObject({ $permissions: [] });
  expect(await node.databases.createDocument({ ...sec.ids, ...draft() })).toMatchObject({ $permissions: [] });
});

test('C03 a guest may create where any may, and his document has no permissions', async ({ guest, pub }) => {
  expect((await guest.http.post(pub.documents, draft()).json<Row>(201)).$permissions).toEqual([]);
  expect((await guest.web.databases.createDocument({ ...pub.ids, ...draft() })).$permissions).toEqual([]);
});

test('C04 C05 a document names its place, has a sequence as text, and null for what was not given', async ({
  guest,
  pub,
}) => {
  const raw = await guest.http.post(pub.documents, draft()).json<Row>(201);
  const read = await guest.http.get(pub.document(raw.$id)).json<Row>();
  for (const row of [raw, read, await guest.web.databases.getDocument({ ...pub.ids, documentId: raw.$id })]) {
    expect(row).toMatchObject({ $databaseId: pub.databaseId, $collectionId: pub.collectionId });
    expect(row).toMatchObject({ $sequence: expect.stringMatching(/^\d+$/), $createdAt: DATE, $updatedAt: DATE });
    for (const field of ['$collection', '$tenant']) expect(row).not.toHaveProperty(field);
    expect(row).toMatchObject({ title: 'A title', n: null, st: null, ok: null, at: null, u: null, m: null });
  }
});

test('C06 creating without the right is 401', async ({ ann, guest, prv, sec }) => {
  const message = /^(No permissions provided for action 'create'|Missing "create" permission)/;
  const rule = error(401, 'user_unauthorized', message);
  const sdk = ann.web.databases.createDocument({ ...prv.ids, ...draft() });
  await refused(rule, ann.http.post(prv.documents, draft()), sdk, guest.http.post(sec.documents, draft()));
});

test('C07 an id exists once in a collection, for keys too', async ({ ann, key, sec }) => {
  const taken = draft();
  await ann.http.post(sec.documents, taken).is(201);
  const message = `Document with the requested ID '${taken.documentId}' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.`;
  const rule = error(409, 'document_already_exists', message);
  await refused(rule, ann.http.post(sec.documents, taken), key.http.post(sec.documents, taken));
});

test('C20 a user cannot set $createdAt, a key can', async ({ ann, key, sec }) => {
  const $createdAt = '2001-02-03T04:05:06.789+00:00';
  const rowsOf = async ({ http, node }: Pick<typeof ann, 'http' | 'node'>) => [
    await http.post(sec.documents, draft({ $createdAt })).json<Row>(201),
    await node.databases.createDocument({ ...sec.ids, ...draft({ $createdAt }) }),
  ];
  for (const row of await rowsOf(ann)) expect(Date.now() - Date.parse(row.$createdAt)).toBeLessThan(10 * 60_000);
  for (const row of await rowsOf(key)) expect(row.$createdAt).toBe($createdAt);
});

test('C32 a value that a unique index holds is 409', async ({ ann, db, key }) => {
  const single = await collection({ permissions: ['create("users")'], documentSecurity: true }, db.databaseId);
  await index(single, 'one', 'unique', ['title']);
  const taken = { title: 'Only one' };
  await document(single, taken);
  const other = await document(single, { title: 'Another' });
  await refused(
    [error(409, 'document_unique_constraint_violation'), error(409, 'document_already_exists')],
    key.http.post(single.documents, draft(taken)),
    ann.http.post(single.documents, draft(taken)),
    key.http.patch(single.document(other.$id), { data: taken }),
  );
});

test('C37 an id has at most 36 characters; unique() lets the server make one', async ({ ann: { http }, sec }) => {
  const longest = fresh('doc').padEnd(36, 'x');
  const create = (documentId: string) => http.post(sec.documents, { ...draft(), documentId });
  expect((await create(longest).json<Row>(201)).$id).toBe(longest);
  await http.get(sec.document(longest)).is(200);
  await refused(invalid('documentId'), create(`${longest}x`), create('.hidden'));
  expect((await create('unique()').json<Row>(201)).$id).toMatch(/^[a-zA-Z0-9]{20}$/);
});

test('C38 several documents at once are for keys', async ({ ann, key, sec }) => {
  const documents = () => [1, 2].map((n) => ({ $id: fresh('doc'), title: `Number ${n}`, n }));
  await refused(error(401), ann.http.post(sec.documents, { documents: documents() }));
  const wanted = documents();
  const raw = await key.http.post(sec.documents, { documents: wanted }).json(201);
  expect(raw).toMatchObject({ total: 2, documents: wanted });
  const sdk = await key.node.databases.createDocuments({ ...sec.ids, documents: documents() });
  expect(sdk).toMatchObject({ total: 2, documents: [{ title: 'Number 1' }, { title: 'Number 2' }] });
});

test('C39 the same document is a row of the tables API', async ({ guest: { http, web, node }, pub }) => {
  const { $collectionId, ...rest } = await document(pub, { n: 7 });
  const ids = { databaseId: pub.databaseId, tableId: pub.collectionId, rowId: rest.$id };
  const path = `/tablesdb/${ids.databaseId}/tables/${ids.tableId}/rows`;
  const raw = await http.get(`${path}/${ids.rowId}`).json();
  expect(raw).toEqual({ ...rest, $tableId: $collectionId });
  for (const row of [await web.tables.getRow(ids), await node.tables.getRow(ids)]) expect({ ...row }).toEqual(raw);
  const { rows } = await http.get(path).json<Models.RowList>();
  expect(rows.map(({ $id }) => $id)).toContain(rest.$id);
  const rule = error(404, 'row_not_found', "Row with the requested ID 'nope' could not be found.");
  await refused(rule, http.get(`${path}/nope`));
});

/** Expects a structure error for each row, over raw HTTP and the SDK. `text` is a pattern or the end of the message. */
async function misfits(pub: Collection, ...rows: [data: Record<string, unknown>, text: string | RegExp][]) {
  for (const [data, text] of rows) {
    const message = typeof text === 'string' ? `Invalid document structure: ${text}` : text;
    const rule = error(400, 'document_invalid_structure', message);
    const body = () => ({ documentId: fresh('doc'), data });
    const sdk = keyOf().node.databases.createDocument({ ...pub.ids, ...body() });
    await refused(rule, guestOf().http.post(pub.documents, body()), sdk);
  }
}

const title = 'A title';
const MISSING_TITLE = 'Missing required attribute "title"';

test('C08 empty data is 400', async ({ guest: { http }, pub }) => {
  const rule = error(400, 'document_missing_data');
  await refused(rule, http.post(pub.documents, { documentId: fresh('doc'), data: {} }));
  const message = 'Document ID is required when creating a single document.';
  await refused({ ...rule, message }, http.post(pub.documents, { data: { title } }));
});

test('C09 a missing required and an unknown attribute are named', async ({ pub }) => {
  await misfits(
    pub,
    [{ n: 1 }, MISSING_TITLE],
    [{ title: null }, MISSING_TITLE],
    [{ title, zzz: 1 }, 'Unknown attribute: "zzz"'],
    [{ n: 'x', zzz: 1 }, MISSING_TITLE],
    [{ title, n: 'x', zzz: 1 }, 'Unknown attribute: "zzz"'],
  );
});

test('C11 values are not coerced: wrong types and formats are 400, each with its text', async ({ pub }) => {
  const integer =
    /"n" has invalid format\. Value must be a valid signed 64-bit integer between -9,223,372,036,854,775,808 /;
  const boolean = 'Attribute "ok" has invalid type. Value must be a valid boolean';
  const string = 'Attribute "title" has invalid type. Value must be a valid string and no longer than 128 chars';
  const choice = 'Attribute "st" has invalid format. Value must be one of (a, b, c)';
  await misfits(
    pub,
    [{ title, n: '5' }, integer],
    [{ title, n: 1.5 }, integer],
    [{ title, ok: 1 }, boolean],
    [{ title, ok: 'true' }, boolean],
    [{ title: '😀'.repeat(129) }, string],
    [{ title: 5 }, /Attribute "title" has invalid type\. Value must be a valid string/],
    [{ title, st: 'x' }, choice],
    [{ title, st: '' }, choice],
  );
  const fits = { title: '😀'.repeat(128), n: -5, ok: false, st: 'c', at: null, u: null, m: null };
  for (const data of [fits, { title: '' }]) expect(await document(pub, data)).toMatchObject(data);
});

test('C13 urls and e-mail addresses are checked', async ({ pub }) => {
  await misfits(
    pub,
    [{ title, u: 'nope' }, 'Attribute "u" has invalid format. Value must be a valid URL'],
    [{ title, u: '' }, /Attribute "u" has invalid format\./],
    [{ title, m: 'nope' }, 'Attribute "m" has invalid format. Value must be a valid email address'],
    [{ title, m: '' }, /Attribute "m" has invalid format\./],
  );
  const fits = { u: 'https://example.com/a?b=c#d', m: 'ann@example.com' };
  expect(await document(pub, fits)).toMatchObject(fits);
});

test('C14 a date with an offset comes back in UTC', async ({ guest, pub }) => {
  for (const [given, stored] of [
    ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00.000+00:00'],
    ['2026-01-01', '2026-01-01T00:00:00.000+00:00'],
    ['1999-12-31T23:59:59.5Z', '1999-12-31T23:59:59.500+00:00'],
  ]) {
    const { $id, at } = await document(pub, { at: given });
    expect(at).toBe(stored);
    expect((await guest.http.get(pub.document($id)).json<Row>()).at).toBe(stored);
  }
  const between = 'Value must be valid date between 1000-01-01 00:00:00 and 9999-12-31 23:59:59.';
  await misfits(pub, [{ title, at: 'yesterday-ish' }, `Attribute "at" has invalid type. ${between}`]);
});

const missingTitle = error(400, 'document_invalid_structure', `Invalid document structure: ${MISSING_TITLE}`);

test('C28 a required attribute cannot be set to null', async ({ ann: { http }, sec }) => {
  const { $id } = await http.post(sec.documents, draft()).json<Row>(201);
  await refused(missingTitle, http.patch(sec.document($id), { data: { title: null } }));
  expect((await http.get(sec.document($id)).json<Row>()).title).toBe(title);
});

test('C25 only who may update can, and an update changes nothing but what it names', async ({ ann, bob, sec }) => {
  const before = await document(sec, { n: 1, st: 'a' }, owner(ann.id));
  const ids = { ...sec.ids, documentId: before.$id };
  const foreign = bob.web.databases.updateDocument<Row>({ ...ids, data: { n: 9 } });
  await refused(NOT_AUTHORIZED, bob.http.patch(sec.document(before.$id), { data: { n: 9 } }), foreign);
  await pause(10);
  const raw = await ann.http.patch(sec.document(before.$id), { data: { n: 2 } }).json<Row>();
  expect(raw).toEqual({ ...before, n: 2, $updatedAt: raw.$updatedAt });
  expect(Date.parse(raw.$updatedAt)).toBeGreaterThan(Date.parse(before.$updatedAt));
  await pause(10);
  const sdk = await ann.web.databases.updateDocument<Row>({ ...ids, data: { st: null } });
  expect({ ...sdk }).toEqual({ ...before, n: 2, st: null, $updatedAt: sdk.$updatedAt });
  expect(Date.parse(sdk.$updatedAt)).toBeGreaterThan(Date.parse(raw.$updatedAt));
  expect(await ann.http.get(sec.document(before.$id)).json()).toEqual({ ...sdk });
});

test('C26 an update needs data or permissions; permissions alone will do', async ({ ann: { id, http, web }, sec }) => {
  const { $id } = await document(sec, {}, owner(id));
  await refused(error(400, 'document_missing_payload'), http.patch(sec.document($id), {}));
  const open = [Permission.read(Role.any()), Permission.update(Role.user(id))].sort();
  const raw = await http.patch(sec.document($id), { permissions: open }).json<Row>();
  expect(raw.title).toBe(title);
  const kept = await web.databases.updateDocument<Row>({ ...sec.ids, documentId: $id, data: { n: 1 } });
  for (const { $permissions } of [raw, kept]) expect([...$permissions].sort()).toEqual(open);
});

test('C29 updating or deleting an unknown id is 404', async ({ ann: { http }, sec }) => {
  const nope = sec.document('nope');
  const rule = { ...NO_DOCUMENT, message: "Document with the requested ID 'nope' could not be found." };
  await refused(rule, http.patch(nope, { data: { n: 1 } }), http.delete(nope, {}));
});

test('C30 only who may delete can; afterwards the document is gone', async ({ ann: { id, http, web }, bob, sec }) => {
  const [first, second] = [await document(sec, {}, owner(id)), await document(sec, {}, owner(id))];
  await refused(NOT_AUTHORIZED, bob.http.delete(sec.document(first.$id), {}));
  expect((await http.delete(sec.document(first.$id), {}).is(204)).text).toBe('');
  await web.databases.deleteDocument({ ...sec.ids, documentId: second.$id });
  await refused(NO_DOCUMENT, http.get(sec.document(first.$id)), http.get(sec.document(second.$id)));
});

test('C31 PUT creates or updates, keeps other attributes and needs the required ones', async ({ ann, bob, sec }) => {
  const [raw, sdk] = [fresh('doc'), fresh('doc')];
  for (const data of [{ title: 'First', n: 1 }, { title: 'Second' }]) {
    const expected = { n: 1, ...data };
    expect(await ann.http.put(sec.document(raw), { data }).json()).toMatchObject({ $id: raw, ...expected });
    const upserted = await ann.web.databases.upsertDocument({ ...sec.ids, documentId: sdk, data });
    expect(upserted).toMatchObject({ $id: sdk, ...expected });
  }
  await refused(missingTitle, ann.http.put(sec.document(fresh('doc')), { data: { n: 1 } }));
  await refused(UNAUTHORIZED, bob.http.put(sec.document(raw), { data: { title: 'First', n: 1 } }));
});

test('C33 a change with a timestamp older than the document is a conflict', async ({ ann: { id, http }, sec }) => {
  const { $id, $updatedAt } = await document(sec, {}, owner(id));
  const dated = (time: number) => ({ headers: { 'x-appwrite-timestamp': new Date(time).toISOString() } });
  const at = (shift: number) => dated(Date.parse($updatedAt) + shift);
  const rule = error(409, 'document_update_conflict', 'Remote document is newer than local.');
  const change = http.patch(sec.document($id), { data: { n: 1 } }, at(-60_000));
  await refused(rule, change, http.delete(sec.document($id), {}, at(-60_000)));
  await http.patch(sec.document($id), { data: { n: 1 } }, at(60_000)).is(200);
});

test('C34 the 121st create and the 61st delete of a minute are 429 for a user, not for a key', async ({ limited }) => {
  const { sec } = await schema(limited);
  const [bob, key] = [await person(limited), keyOf(limited)];
  await inOneWindow(60, 10, async () => {
    const ann = await person(limited);
    for (let made = 0; made < 120; made += 10)
      await Promise.all(Array.from({ length: 10 }, () => ann.http.post(sec.documents, draft()).is(201)));
    await refused(LIMITED, ann.http.post(sec.documents, draft()));
    for (const { http } of [bob, key]) await http.post(sec.documents, draft()).is(201);
  });
  await inOneWindow(60, 8, async () => {
    const ann = await person(limited);
    const made: string[] = [];
    while (made.length < 61) made.push((await document(sec, {}, owner(ann.id))).$id);
    for (let from = 0; from < 60; from += 10)
      await Promise.all(made.slice(from, from + 10).map((id) => ann.http.delete(sec.document(id), {}).is(204)));
    const next = sec.document(made[60] ?? '');
    await refused(LIMITED, ann.http.delete(next, {}));
    await key.http.delete(next, {}).is(204);
  });
});
