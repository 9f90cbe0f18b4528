import { expect, it } from 'vitest';
import type { Send } from '../../../tests/support/backend.ts';
import { useBackend } from '../../../tests/support/use-backend.ts';

const ATTRIBUTES = [
  { key: 'title', type: 'string', size: 128, required: true },
  { key: 'n', type: 'integer' },
  { key: 'x', type: 'double', min: 0, max: 10 },
  { key: 'ok', type: 'boolean', default: false },
  { key: 'u', type: 'string', format: 'url' },
  { key: 'm', type: 'string', format: 'email' },
  { key: 'ip', type: 'string', format: 'ip' },
  { key: 'tags', type: 'string', size: 5, array: true },
  { key: 'nums', type: 'integer', array: true },
  { key: 'code', type: 'string', size: 20 },
];

const TIMESTAMP = 'x-appwrite-timestamp';
const PUB = '/databases/d/collections/pub/documents';
const SEC = '/databases/d/collections/sec/documents';
let key: Send;
let guest: Send;
let ann: Send;
let bob: Send;
let count = 0;
const fresh = () => `doc${++count}`;

const backend = useBackend({}, async ({ server }) => {
  [key, guest] = [server.sender('key'), server.sender('guest')];
  [ann, bob] = [server.sender(await server.user('ann')), server.sender(await server.user('bob'))];
  const schema = { attributes: ATTRIBUTES, indexes: [{ key: 'code', type: 'unique', attributes: ['code'] }] };
  await server.collection('pub', { ...schema, permissions: ['create("any")', 'read("any")'] });
  await server.collection('sec', { ...schema, permissions: ['create("users")'], documentSecurity: true });
});

const create = (send: Send, path: string, fields: object, id = fresh()) =>
  send('POST', path, { documentId: id, data: { title: 'T', ...fields } });

it('creating a document fills in defaults and empty lists, ignores system fields and refuses a transaction', async () => {
  const { body } = await create(key, PUB, { $id: 'other', $sequence: '1', $collectionId: 'x' });
  expect(body).toMatchObject({ ok: false, tags: [], nums: [] });
  expect(body.$id).not.toBe('other');
  const refused = await key('POST', PUB, { documentId: 'x', data: { title: 'T' }, transactionId: 't1' });
  expect(refused.body.type).toBe('general_feature_unsupported');
});

it('creating a document returns values unchanged', async () => {
  const data = {
    ...{ title: 'Zeichen: \u0000 "\\/ 😀 é', n: 42, x: 0.1, ok: true, u: 'http://localhost', m: 'A@example.com' },
    ...{ ip: '::1', tags: ['a', '', '😀😀😀😀😀'], nums: [1, -1] },
  };
  const { body } = await create(key, PUB, data);
  expect(body).toMatchObject(data);
  expect((await key('GET', `${PUB}/${body.$id}`)).body).toEqual(body);
});

it('creating a document keeps whole numbers of 64 bits', async () => {
  const id = fresh();
  const sent = `{"documentId":"${id}","data":{"title":"T","n":9007199254740993,"nums":[-9223372036854775808]}}`;
  expect((await key('POST', PUB, sent)).text).toContain('"n":9007199254740993');
  const { text } = await key('GET', `${PUB}/${id}`);
  for (const field of ['"n":9007199254740993', '"nums":[-9223372036854775808]']) expect(text).toContain(field);
  expect((await key('PATCH', `${PUB}/${id}/n/increment`, {})).text).toContain('"n":9007199254740994');
});

it.each<[object, string]>([
  [{ x: 11 }, 'Attribute "x" has invalid format. Value must be a valid range between 0 and 10'],
  [{ u: 'javascript:alert(1)' }, 'Attribute "u" has invalid format. Value must be a valid URL'],
  [{ ip: '1.2.3' }, 'Attribute "ip" has invalid format. Value must be a valid IP address'],
  [{ tags: 'a' }, 'Attribute "tags" must be an array'],
  [{ tags: ['a', 'toolong'] }, `Attribute "tags['1']" has invalid type. Value must be a valid string and no longer`],
  [{ $createdAt: 'x' }, 'Attribute "$createdAt" has invalid type. Value must be valid date between 1000-01-01'],
  [{ $other: 1 }, 'Unknown attribute: "$other"'],
])('creating a document refuses %j', async (fields, text) => {
  const message = expect.stringContaining(`Invalid document structure: ${text}`);
  const refusal = { status: 400, body: { type: 'document_invalid_structure', message } };
  expect(await create(key, PUB, fields)).toMatchObject(refusal);
});

it('changing a document refuses callers without the right before it checks their data', async () => {
  const { body } = await create(ann, SEC, {});
  const path = `${SEC}/${body.$id}`;
  expect((await bob('PATCH', path, { data: { n: 'x' } })).status).toBe(401);
  expect((await bob('PUT', path, { data: { title: 'X' } })).status).toBe(401);
  expect((await bob('PATCH', `${path}/n/increment`, {})).status).toBe(401);
});

it('changing a document leaves $updatedAt alone if nothing changes, which needs only the right to read', async () => {
  const { body } = await create(key, PUB, { n: 1 });
  const same = await guest('PATCH', `${PUB}/${body.$id}`, { data: { n: 1 } });
  expect([same.status, same.body]).toEqual([200, body]);
  expect((await guest('PATCH', `${PUB}/${body.$id}`, { data: { n: 2 } })).status).toBe(401);
});

it('changing a document refuses text that a real server would run as an operator, which a create stores', async () => {
  const title = '{"method":"increment","values":[1]}';
  const { body } = await create(key, PUB, { title });
  expect(body.title).toBe(title);
  const path = `${PUB}/${body.$id}`;
  expect((await key('PATCH', path, { data: { title: `${title} ` } })).body.type).toBe('document_invalid_structure');
  expect((await key('PATCH', path, { data: { title: '{"method":"GET"}' } })).status).toBe(200);
});

it('changing a document takes the time of the document as a timestamp, and nothing that is no date', async () => {
  const { body } = await create(key, PUB, { n: 1 });
  const at = (time: string) => key('PATCH', `${PUB}/${body.$id}`, { data: { n: 2 } }, { [TIMESTAMP]: time });
  expect((await at(body.$updatedAt)).status).toBe(200);
  expect((await at('x')).status).toBe(400);
});

it('changing a document increments numbers up to their limits, also many times at once', async () => {
  const { body } = await create(key, PUB, { n: 5 });
  const path = `${PUB}/${body.$id}`;
  const typeOf = async (step: string, fields: object) => (await key('PATCH', `${path}/${step}`, fields)).body.type;
  await Promise.all(Array.from({ length: 20 }, () => key('PATCH', `${path}/n/increment`, { value: 2 })));
  expect((await key('PATCH', `${path}/n/decrement`, {})).body.n).toBe(44);
  expect(await typeOf('n/increment', { max: 44 })).toBe('attribute_limit_exceeded');
  expect(await typeOf('n/decrement', { value: 44, min: 1 })).toBe('attribute_limit_exceeded');
  expect(await typeOf('title/increment', {})).toBe('attribute_type_invalid');
  expect(await typeOf('nope/increment', {})).toBe('attribute_not_found');
  expect((await key('PATCH', `${path}/x/increment`, { value: 2.5 })).body.x).toBe(2.5);
  expect(await typeOf('x/increment', { value: 9 })).toBe('document_invalid_structure');
  expect(await typeOf('n/increment', { value: 0 })).toBe('general_argument_invalid');
});

it('in bulk only keys change documents', async () => {
  expect((await ann('PUT', PUB, { documents: [{ $id: 'x', title: 'T' }] })).status).toBe(401);
  expect((await ann('PATCH', PUB, { data: { n: 1 } })).status).toBe(401);
  expect((await ann('DELETE', PUB)).status).toBe(401);
});

it('in bulk a request creates all or none, and changes, upserts and deletes what matches', async () => {
  const documents = [
    { $id: 'bulk1', title: 'A', code: 'bulk', n: 70 },
    { $id: 'bulk2', title: 'B', n: 70, $permissions: ['read("any")'] },
  ];
  const made = await key('POST', PUB, { documents });
  expect(made.body).toMatchObject({ total: 2, documents: [{ $id: 'bulk1' }, { $permissions: ['read("any")'] }] });
  const first = { $id: 'bulk3', title: 'C' };
  expect((await key('POST', PUB, { documents: [first, { title: 'D', code: 'bulk' }] })).status).toBe(409);
  expect((await key('GET', `${PUB}/bulk3`)).status).toBe(404);
  const matching = (n: number) => [JSON.stringify({ method: 'equal', attribute: 'n', values: [n] })];
  expect((await key('PATCH', PUB, { data: { n: 71 }, queries: matching(70) })).body.total).toBe(2);
  const changed = { $id: 'bulk1', title: 'A2' };
  const put = await key('PUT', PUB, { documents: [changed, { $id: 'bulk4', title: 'E', n: 71 }] });
  expect(put).toMatchObject({ status: 201, body: { documents: [{ title: 'A2', n: 71 }, { title: 'E' }] } });
  expect((await key('DELETE', PUB, { queries: matching(71) })).body.total).toBe(3);
  expect((await key('GET', `${PUB}/bulk1`)).status).toBe(404);
});

it('events follow no failed change, and name the author and the readers of collection or document', async () => {
  backend.events.length = 0;
  await create(key, PUB, { zzz: 1 });
  expect(backend.events).toEqual([]);
  await create(ann, SEC, {});
  await key('POST', PUB, { documentId: fresh(), data: { title: 'T' }, permissions: ['read("user:ann")'] });
  expect(backend.events).toMatchObject([
    { roles: ['user:ann'], userId: 'ann' },
    { roles: ['any'], userId: undefined },
  ]);
});

it('events name what an update changed', async () => {
  const id = fresh();
  backend.events.length = 0;
  await create(key, PUB, { n: 1 }, id);
  await key('PATCH', `${PUB}/${id}`, { data: { n: 2, title: 'T', ok: false, $createdAt: '2026-01-01' } });
  await key('PUT', `${PUB}/${id}`, { data: { title: 'U' }, permissions: ['read("user:ann")'] });
  await key('PATCH', `${PUB}/${id}/n/increment`, { value: 3 });
  const matching = [JSON.stringify({ method: 'equal', attribute: '$id', values: [id] })];
  await key('PATCH', PUB, { data: { tags: ['a'] }, queries: matching });
  await key('PATCH', PUB, { data: { tags: ['a'] }, queries: matching });
  await key('PATCH', `${PUB}/${id}`, { data: { $updatedAt: '2031-01-01' } });
  await key('PATCH', `${PUB}/${id}`, { data: { title: 'U' } });
  await key('DELETE', `${PUB}/${id}`);
  expect(backend.events.map(({ changed }) => changed?.join(' '))).toEqual([
    ...[undefined, 'n $createdAt', 'title $permissions', 'n', 'tags', '', '$updatedAt', '', undefined],
  ]);
});
