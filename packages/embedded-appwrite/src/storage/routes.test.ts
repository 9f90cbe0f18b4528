import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { queries, startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

let backend: TestBackend;
let ann: string;
const small = randomBytes(1000);
const large = randomBytes(300_000);
beforeAll(async () => {
  backend = await startTestBackend();
  ann = await backend.user('ann');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await backend.bucket('open', { permissions: ['read("any")'] });
  await backend.upload('open', 'small', small, { as: 'key' });
  await backend.upload('open', 'large', large, { as: 'key' });
});
afterAll(() => backend.stop());
const ask: TestBackend['request'] = (...args) => backend.request(...args);
const byKey = (method: string, path: string, body: object = {}) => ask(method, path, { as: 'key', body });

describe('a bucket', () => {
  it.each([
    [{ bucketId: '_x', name: 'x' }, 'bucketId'],
    [{ bucketId: 'a'.repeat(37), name: 'x' }, 'bucketId'],
    [{ bucketId: 'b1', name: '' }, 'name'],
    [{ bucketId: 'b1', name: 'x'.repeat(129) }, 'name'],
    [{ bucketId: 'b1', name: 'x', maximumFileSize: 0 }, 'maximumFileSize'],
    [{ bucketId: 'b1', name: 'x', maximumFileSize: 30_000_001 }, 'maximumFileSize'],
    [{ bucketId: 'b1', name: 'x', compression: 'rar' }, 'compression'],
    [{ bucketId: 'b1', name: 'x', permissions: ['admin("any")'] }, 'permissions'],
    [{ bucketId: 'b1', name: 'x', allowedFileExtensions: 'png' }, 'allowedFileExtensions'],
    [{ bucketId: 'b1', name: 'x', enabled: 'perhaps' }, 'enabled'],
  ])('refuses %j, naming %s', async (body, parameter) => {
    const reply = await byKey('POST', '/storage/buckets', body);
    expect(reply).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
    expect(reply.body.message).toContain(parameter);
  });

  it('is found by a search, counted or not', async () => {
    for (const id of ['list-a', 'list-b']) await backend.bucket(id);
    expect((await ask('GET', '/storage/buckets?search=LIST-', { as: 'key' })).body).toMatchObject({ total: 2 });
    const uncounted = await ask('GET', '/storage/buckets?search=list-&total=0', { as: 'key' });
    expect(uncounted.body).toMatchObject({ total: 0, buckets: [{}, {}] });
  });

  it('takes its files and their bytes along when it is deleted', async () => {
    const before = await backend.stored();
    await backend.bucket('gone', { permissions: ['read("any")'] });
    await backend.upload('gone', 'f', 'hello', { as: 'key' });
    expect(await backend.stored()).toHaveLength(before.length + 1);
    expect((await ask('GET', '/storage/buckets/gone', { as: 'key' })).body.totalSize).toBe(5);
    expect((await byKey('DELETE', '/storage/buckets/gone')).status).toBe(204);
    expect(await backend.stored()).toEqual(before);
    expect((await ask('GET', '/storage/buckets/gone/files/f/view')).status).toBe(404);
  });

  it('emits an event for each change', async () => {
    backend.events.length = 0;
    await backend.bucket('told');
    await byKey('PUT', '/storage/buckets/told', { name: 'y' });
    await byKey('DELETE', '/storage/buckets/told');
    const names = backend.events.map(({ events }) => events[0]);
    expect(names).toEqual(['create', 'update', 'delete'].map((change) => `buckets.told.${change}`));
  });

  it('is hidden from everyone but keys when it is disabled', async () => {
    await backend.bucket('off', { permissions: ['read("any")'], enabled: false });
    expect((await ask('GET', '/storage/buckets/off/files', { as: ann })).status).toBe(404);
    expect((await ask('GET', '/storage/buckets/off/files', { as: 'key' })).status).toBe(200);
  });
});

describe('files', () => {
  it('are ordered, paged and searched', async () => {
    await backend.bucket('listed');
    for (const id of ['b', 'a', 'c']) await backend.upload('listed', id, id, { as: 'key', name: `${id}.txt` });
    const ids = async (query: string) => {
      const { body } = await ask('GET', `/storage/buckets/listed/files?${query}`, { as: 'key' });
      return body.files.map(({ $id }: { $id: string }) => $id);
    };
    expect(await ids(queries({ method: 'orderDesc', attribute: 'name' }))).toEqual(['c', 'b', 'a']);
    expect(await ids(queries({ method: 'cursorAfter', values: ['b'] }))).toEqual(['a', 'c']);
    expect(await ids('search=A.')).toEqual(['a']);
    const unknown = queries({ method: 'cursorAfter', values: ['nope'] });
    expect((await ask('GET', `/storage/buckets/listed/files?${unknown}`, { as: 'key' })).body).toMatchObject({
      type: 'general_cursor_not_found',
      message: "File 'nope' for the 'cursor' value not found.",
    });
  });

  it('have names of at most 128 characters', async () => {
    await backend.upload('bk', 'named', 'x', { as: ann });
    const rename = (name: string) => ask('PUT', '/storage/buckets/bk/files/named', { as: ann, body: { name } });
    expect((await rename('x'.repeat(128))).status).toBe(200);
    expect((await rename('x'.repeat(129))).status).toBe(400);
  });

  it('emit a change to their readers on six channels', async () => {
    await backend.upload('bk', 'told', 'x', { as: ann });
    backend.events.length = 0;
    const { body } = await ask('PUT', '/storage/buckets/bk/files/told', { as: ann, body: { name: 'new.txt' } });
    const channels = ['files', 'buckets.bk.files', 'buckets.bk.files.told'];
    expect(backend.events[0]).toMatchObject({
      userId: 'ann',
      payload: body,
      roles: ['user:ann'],
      channels: [...channels, ...channels.map((channel) => `${channel}.update`)],
    });
  });

  it('are deleted with bytes and previews, and emit their last state', async () => {
    const before = await backend.stored();
    await backend.upload('bk', 'brief', 'brief', { as: ann });
    await ask('GET', '/storage/buckets/bk/files/brief/view', { as: ann });
    backend.events.length = 0;
    expect((await ask('DELETE', '/storage/buckets/bk/files/brief', { as: ann, body: {} })).status).toBe(204);
    expect(await backend.stored()).toEqual(before);
    for (const way of ['', '/view', '/preview']) {
      expect((await ask('GET', `/storage/buckets/bk/files/brief${way}`, { as: ann })).status).toBe(404);
    }
    expect(backend.events[0]?.events[0]).toBe('buckets.bk.files.brief.delete');
    expect(backend.events[0]?.payload).toMatchObject({ $id: 'brief', sizeActual: 5 });
  });
});

describe.each([
  ['small', small],
  ['large', large],
])('the bytes of a %s file', (id, bytes) => {
  const path = `/storage/buckets/open/files/${id}`;

  it('are sent whole, twice the same', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const reply = await ask('GET', `${path}/view`);
      expect(reply.status).toBe(200);
      expect(reply.bytes.equals(bytes)).toBe(true);
      expect(reply.headers.get('content-length')).toBe(String(bytes.length));
      expect(reply.headers.get('accept-ranges')).toBeNull();
    }
  });

  it('are sent in parts', async () => {
    const part = async (range: string) => (await ask('GET', `${path}/view`, { headers: { Range: range } })).bytes;
    expect((await part('bytes=0-99')).equals(bytes.subarray(0, 100))).toBe(true);
    expect((await part('bytes=-5')).equals(bytes.subarray(-5))).toBe(true);
    expect((await part(`bytes=10-${bytes.length + 9}`)).equals(bytes.subarray(10))).toBe(true);
  });

  it('are left out of an answer to HEAD', async () => {
    for (const [headers, status] of [
      [{}, 200],
      [{ Range: 'bytes=0-9' }, 206],
    ] as const) {
      const reply = await ask('HEAD', `${path}/download`, { headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-length')).toBe(status === 200 ? String(bytes.length) : '10');
      expect(reply.bytes).toHaveLength(0);
    }
  });
});

describe('a file token', () => {
  const create = (fileId: string, body: object = {}) => byKey('POST', `/tokens/buckets/bk/files/${fileId}`, body);
  const view = (fileId: string, token: string) =>
    ask('GET', `/storage/buckets/bk/files/${fileId}/view?project=p1&token=${token}`);
  beforeAll(async () => {
    for (const id of ['one', 'two']) await backend.upload('bk', id, id, { as: ann });
  });

  it('ends at its date', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { body } = await create('one', { expire: new Date(Date.now() + 2000).toISOString() });
    expect(body.expire).toMatch(/\+00:00$/);
    expect((await view('one', body.secret)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2001);
    expect((await view('one', body.secret)).status).toBe(404);
    expect((await create('one', { expire: '2020-01-01' })).status).toBe(400);
  });

  it('is listed, read, changed and deleted', async () => {
    const { body: token } = await create('two');
    const list = await ask('GET', '/tokens/buckets/bk/files/two', { as: 'key' });
    expect(list.body).toEqual({ total: 1, tokens: [token] });
    expect((await ask('GET', `/tokens/${token.$id}`, { as: 'key' })).body).toEqual(token);
    const changed = await byKey('PATCH', `/tokens/${token.$id}`, { expire: '2999-01-01' });
    expect(changed.body.expire).toBe('2999-01-01T00:00:00.000+00:00');
    expect((await byKey('DELETE', `/tokens/${token.$id}`)).status).toBe(204);
    expect((await ask('GET', `/tokens/${token.$id}`, { as: 'key' })).body.type).toBe('token_not_found');
    expect((await view('two', token.secret)).status).toBe(404);
  });

  it('is refused when it is empty, and to users', async () => {
    expect(await view('one', '')).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
    const byUser = await ask('POST', '/tokens/buckets/bk/files/one', { as: ann, body: {} });
    expect(byUser.body.type).toBe('general_unauthorized_scope');
    expect((await create('nope')).status).toBe(404);
  });
});
