import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { useBackend } from '../../tests/support/use-backend.ts';

let ann: string;
const BYTES = { small: randomBytes(1000), large: randomBytes(300_000) };
const backend = useBackend({}, async ({ server }) => {
  ann = await server.user('ann');
  await server.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await server.bucket('open', { permissions: ['read("any")'] });
  for (const [id, bytes] of Object.entries(BYTES)) await server.upload('open', id, bytes, { as: 'key' });
  for (const id of ['one', 'two']) await server.upload('bk', id, id, { as: ann });
});
const ask: TestBackend['request'] = (...args) => backend.request(...args);
const byKey = (method: string, path: string, body: object = {}) => ask(method, path, { as: 'key', body });

it.each<[string, unknown]>([
  ['bucketId', '_x'],
  ['bucketId', 'a'.repeat(37)],
  ['name', ''],
  ['name', 'x'.repeat(129)],
  ['maximumFileSize', 0],
  ['maximumFileSize', 30_000_001],
  ['compression', 'rar'],
  ['permissions', ['admin("any")']],
  ['allowedFileExtensions', 'png'],
  ['enabled', 'perhaps'],
])('refuses a bucket whose %s is %j', async (parameter, value) => {
  const reply = await byKey('POST', '/storage/buckets', { bucketId: 'b1', name: 'x', [parameter]: value });
  expect(reply).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
  expect(reply.body.message).toContain(parameter);
});

it('deletes a bucket with its files and their bytes', async () => {
  const before = await backend.stored();
  await backend.bucket('gone', { permissions: ['read("any")'] });
  await backend.upload('gone', 'f', 'hello', { as: 'key' });
  expect(await backend.stored()).toHaveLength(before.length + 1);
  expect((await ask('GET', '/storage/buckets/gone', { as: 'key' })).body.totalSize).toBe(5);
  expect((await byKey('DELETE', '/storage/buckets/gone')).status).toBe(204);
  expect(await backend.stored()).toEqual(before);
});

it('shows a disabled bucket to keys alone', async () => {
  await backend.bucket('off', { permissions: ['read("any")'], enabled: false });
  const asked = [ann, 'key'].map((as) => ask('GET', '/storage/buckets/off/files', { as }));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 200]);
});

it('emits changes of buckets without channels, and of files to their readers on six channels', async () => {
  backend.events.length = 0;
  await backend.bucket('told', { fileSecurity: true, permissions: ['create("users")'] });
  await byKey('PUT', '/storage/buckets/told', { name: 'y', fileSecurity: true });
  await backend.upload('told', 'f', 'brief', { as: ann });
  const path = '/storage/buckets/told/files/f';
  const { body } = await ask('PUT', path, { as: ann, body: { name: 'new.txt' } });
  expect((await ask('DELETE', path, { as: ann, body: {} })).status).toBe(204);
  await byKey('DELETE', '/storage/buckets/told');
  const file = 'buckets.told.files.f';
  const channels = ['files', 'buckets.told.files', file];
  expect(backend.events.map(({ events: [name] }) => name)).toEqual([
    ...['buckets.told.create', 'buckets.told.update'],
    ...[`${file}.create`, `${file}.update`, `${file}.delete`, 'buckets.told.delete'],
  ]);
  expect(backend.events[0]?.channels).toEqual([]);
  const told = { channels: [...channels, ...channels.map((channel) => `${channel}.update`)] };
  expect(backend.events[3]).toMatchObject({ userId: 'ann', payload: body, roles: ['user:ann'], ...told });
  expect(backend.events[4]?.payload).toMatchObject({ $id: 'f', sizeActual: 5 });
});

it('deletes a file with its bytes, those held in memory included', async () => {
  const before = await backend.stored();
  await backend.upload('bk', 'brief', 'brief', { as: ann });
  const view = async () => (await ask('GET', '/storage/buckets/bk/files/brief/view', { as: ann })).status;
  expect(await view()).toBe(200);
  expect((await ask('DELETE', '/storage/buckets/bk/files/brief', { as: ann, body: {} })).status).toBe(204);
  expect([await view(), await backend.stored()]).toEqual([404, before]);
});

it.each(['small', 'large'] as const)('sends a %s file whole and in parts, from disk and from memory', async (id) => {
  const bytes = BYTES[id];
  const path = `/storage/buckets/open/files/${id}`;
  for (let turn = 0; turn < 2; turn++) {
    const reply = await ask('GET', `${path}/view`);
    expect([reply.status, reply.bytes.equals(bytes)]).toEqual([200, true]);
    expect(reply.headers.get('content-length')).toBe(String(bytes.length));
    expect(reply.headers.get('accept-ranges')).toBeNull();
  }
  const part = async (range: string) => (await ask('GET', `${path}/view`, { headers: { Range: range } })).bytes;
  expect((await part('bytes=0-99')).equals(bytes.subarray(0, 100))).toBe(true);
  expect((await part('bytes=-5')).equals(bytes.subarray(-5))).toBe(true);
  expect((await part(`bytes=10-${bytes.length + 9}`)).equals(bytes.subarray(10))).toBe(true);
  const head = async (headers = {}) => {
    const reply = await ask('HEAD', `${path}/download`, { headers });
    return [reply.status, reply.headers.get('content-length'), reply.text];
  };
  expect(await head()).toEqual([200, String(bytes.length), '']);
  expect(await head({ Range: 'bytes=0-9' })).toEqual([206, '10', '']);
});

const create = (fileId: string, body: object = {}) => byKey('POST', `/tokens/buckets/bk/files/${fileId}`, body);
const view = (fileId: string, token: string) =>
  ask('GET', `/storage/buckets/bk/files/${fileId}/view?project=p1&token=${token}`);

it('a file token ends at its date', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { body } = await create('one', { expire: new Date(Date.now() + 2000).toISOString() });
  expect(body.expire).toMatch(/\+00:00$/);
  expect((await view('one', body.secret)).status).toBe(200);
  vi.setSystemTime(Date.now() + 2001);
  expect((await view('one', body.secret)).status).toBe(404);
  expect((await create('one', { expire: '2020-01-01' })).status).toBe(400);
});

it('a file token is listed, read, changed and deleted by keys alone', async () => {
  const { body: token } = await create('two');
  const list = await ask('GET', '/tokens/buckets/bk/files/two', { as: 'key' });
  expect(list.body).toEqual({ total: 1, tokens: [token] });
  expect((await ask('GET', `/tokens/${token.$id}`, { as: 'key' })).body).toEqual(token);
  const changed = await byKey('PATCH', `/tokens/${token.$id}`, { expire: '2999-01-01' });
  expect(changed.body.expire).toBe('2999-01-01T00:00:00.000+00:00');
  expect((await byKey('DELETE', `/tokens/${token.$id}`)).status).toBe(204);
  expect((await ask('GET', `/tokens/${token.$id}`, { as: 'key' })).body.type).toBe('token_not_found');
  expect((await view('two', token.secret)).status).toBe(404);
  expect(await view('one', '')).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
  const byUser = await ask('POST', '/tokens/buckets/bk/files/one', { as: ann, body: {} });
  expect(byUser.body.type).toBe('general_unauthorized_scope');
  expect((await create('nope')).status).toBe(404);
});
