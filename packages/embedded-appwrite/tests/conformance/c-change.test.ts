/** C: updating, upserting and deleting documents (contract 2.3). */
import { Permission, Role } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { NOT_AUTHORIZED, refused, UNAUTHORIZED } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { person } from './people.ts';
import { document, owner, type Row, schema } from './schema.ts';

const db = once(() => schema(server()));
const ann = once(() => person(server()));
const bob = once(() => person(server()));

async function anns(data: Record<string, unknown> = {}): Promise<Row> {
  return document(server(), (await db()).sec, data, owner((await ann()).id));
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

line('C25', 'only who may update can, and an update changes nothing but what it names', async () => {
  const { sec } = await db();
  const before = await anns({ n: 1, st: 'a' });
  const other = await bob();
  await refused(
    NOT_AUTHORIZED,
    other.http.patch(sec.document(before.$id), { data: { n: 9 } }),
    other.web.databases.updateDocument<Row>({ ...sec.ids, documentId: before.$id, data: { n: 9 } }),
  );
  const { http, web } = await ann();
  await pause();
  const raw = (await http.patch(sec.document(before.$id), { data: { n: 2 } })).is(200).json<Row>();
  expect(raw).toEqual({ ...before, n: 2, $updatedAt: raw.$updatedAt });
  expect(Date.parse(raw.$updatedAt)).toBeGreaterThan(Date.parse(before.$updatedAt));
  await pause();
  const sdk = await web.databases.updateDocument<Row>({ ...sec.ids, documentId: before.$id, data: { st: null } });
  expect({ ...sdk }).toEqual({ ...before, n: 2, st: null, $updatedAt: sdk.$updatedAt });
  expect(Date.parse(sdk.$updatedAt)).toBeGreaterThan(Date.parse(raw.$updatedAt));
  expect((await http.get(sec.document(before.$id))).is(200).json()).toEqual({ ...sdk });
});

line('C26', 'an update needs data or permissions; permissions alone will do', async () => {
  const { sec } = await db();
  const { $id } = await anns();
  const { id, http, web } = await ann();
  await refused(
    { code: 400, type: 'document_missing_payload' },
    http.patch(sec.document($id), {}),
    web.databases.updateDocument({ ...sec.ids, documentId: $id }),
  );
  const open = [Permission.read(Role.any()), Permission.update(Role.user(id))];
  const raw = (await http.patch(sec.document($id), { permissions: open })).is(200).json<Row>();
  expect([...raw.$permissions].sort()).toEqual([...open].sort());
  expect(raw.title).toBe('A title');
  const kept = await web.databases.updateDocument<Row>({ ...sec.ids, documentId: $id, data: { n: 1 } });
  expect([...kept.$permissions].sort()).toEqual([...open].sort());
});

line('C29', 'updating or deleting an unknown id is 404', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const nope = { ...sec.ids, documentId: 'nope' };
  await refused(
    { code: 404, type: 'document_not_found', message: "Document with the requested ID 'nope' could not be found." },
    http.patch(sec.document('nope'), { data: { n: 1 } }),
    http.delete(sec.document('nope'), {}),
    web.databases.updateDocument<Row>({ ...nope, data: { n: 1 } }),
    web.databases.deleteDocument(nope),
  );
});

line('C30', 'only who may delete can; afterwards the document is gone', async () => {
  const { sec } = await db();
  const [first, second] = [await anns(), await anns()];
  const { http, web } = await ann();
  await refused(
    NOT_AUTHORIZED,
    (await bob()).http.delete(sec.document(first.$id), {}),
    (await bob()).web.databases.deleteDocument({ ...sec.ids, documentId: first.$id }),
  );
  expect((await http.delete(sec.document(first.$id), {})).is(204).text).toBe('');
  await web.databases.deleteDocument({ ...sec.ids, documentId: second.$id });
  for (const { $id } of [first, second]) {
    await refused({ code: 404, type: 'document_not_found' }, http.get(sec.document($id)));
  }
});

line('C31', 'PUT creates or updates; required attributes are needed each time, others are kept', async () => {
  const { sec } = await db();
  const { http, web } = await ann();
  const [raw, sdk] = [fresh('doc'), fresh('doc')];
  const data = { title: 'First', n: 1 };
  expect((await http.put(sec.document(raw), { data })).is(200).json()).toMatchObject({ $id: raw, ...data });
  expect(await web.databases.upsertDocument({ ...sec.ids, documentId: sdk, data })).toMatchObject({
    $id: sdk,
    ...data,
  });
  const changed = { title: 'Second' };
  const merged = { title: 'Second', n: 1 };
  expect((await http.put(sec.document(raw), { data: changed })).is(200).json()).toMatchObject({ $id: raw, ...merged });
  expect(await web.databases.upsertDocument({ ...sec.ids, documentId: sdk, data: changed })).toMatchObject(merged);
  await refused(
    {
      code: 400,
      type: 'document_invalid_structure',
      message: 'Invalid document structure: Missing required attribute "title"',
    },
    http.put(sec.document(fresh('doc')), { data: { n: 1 } }),
    web.databases.upsertDocument<Row>({ ...sec.ids, documentId: fresh('doc'), data: { n: 1 } }),
  );
  await refused(UNAUTHORIZED, (await bob()).http.put(sec.document(raw), { data }));
});

line('C33', 'a change with a timestamp older than the document is a conflict', async () => {
  const { sec } = await db();
  const { $id, $updatedAt } = await anns();
  const { http } = await ann();
  const at = (shift: number) => ({
    headers: { 'x-appwrite-timestamp': new Date(Date.parse($updatedAt) + shift).toISOString() },
  });
  await refused(
    { code: 409, type: 'document_update_conflict', message: 'Remote document is newer than local.' },
    http.patch(sec.document($id), { data: { n: 1 } }, at(-60_000)),
    http.delete(sec.document($id), {}, at(-60_000)),
  );
  (await http.patch(sec.document($id), { data: { n: 1 } }, at(60_000))).is(200);
});
