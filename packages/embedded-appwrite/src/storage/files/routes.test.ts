import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../../tests/support/storage.ts';

let backend: Fixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  backend = await startFixture();
  ann = await backend.user('ann');
  bob = await backend.user('bob');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await backend.bucket('shut', { permissions: ['create("users")'] });
  await backend.upload('bk', 'of-ann', 'x', { as: ann, name: 'ann.txt' });
  await backend.upload('bk', 'of-bob', 'xx', { as: bob, name: 'bob.txt' });
  await backend.upload('bk', 'of-all', 'xxx', { as: bob, name: 'all.txt', permissions: ['read("any")'] });
  await backend.upload('shut', 'f', 'x', { as: ann });
});
afterAll(() => backend.close());
const ask: Fixture['ask'] = (...args) => backend.ask(...args);

describe('listing files', () => {
  const ids = async (as: string, query = '') => {
    const { body } = await ask('GET', `/storage/buckets/bk/files?${query}`, { as });
    return { total: body.total, ids: body.files.map((file: { $id: string }) => file.$id) };
  };

  it('shows what the caller may read, and counts no more', async () => {
    expect(await ids(ann)).toEqual({ total: 2, ids: ['of-ann', 'of-all'] });
    expect(await ids('guest')).toEqual({ total: 1, ids: ['of-all'] });
    expect(await ids('key')).toEqual({ total: 3, ids: ['of-ann', 'of-bob', 'of-all'] });
  });

  it('filters, orders and searches', async () => {
    const query = (q: object) => `queries[0]=${encodeURIComponent(JSON.stringify(q))}`;
    expect((await ids('key', query({ method: 'equal', attribute: 'sizeOriginal', values: [2] }))).ids).toEqual([
      'of-bob',
    ]);
    expect((await ids('key', query({ method: 'orderDesc', attribute: 'name' }))).ids).toEqual([
      'of-bob',
      'of-ann',
      'of-all',
    ]);
    expect((await ids('key', query({ method: 'cursorAfter', values: ['of-ann'] }))).ids).toEqual(['of-bob', 'of-all']);
    expect((await ids('key', 'search=BOB')).ids).toEqual(['of-bob']);
  });

  it('names an unknown cursor', async () => {
    const cursor = encodeURIComponent('{"method":"cursorAfter","values":["nope"]}');
    expect(await ask('GET', `/storage/buckets/bk/files?queries[0]=${cursor}`, { as: 'key' })).toMatchObject({
      status: 400,
      body: { type: 'general_cursor_not_found', message: "File 'nope' for the 'cursor' value not found." },
    });
  });

  it('is refused where only the bucket decides', async () => {
    expect((await ask('GET', '/storage/buckets/shut/files', { as: ann })).status).toBe(401);
  });
});

describe('changing a file', () => {
  const change = (as: string, body: object, id = 'bk/files/of-ann') =>
    ask('PUT', `/storage/buckets/${id}`, { as, body });

  it('renames it and leaves the rest', async () => {
    backend.events.length = 0;
    const { status, body } = await change(ann, { name: 'new.txt' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'new.txt',
      sizeOriginal: 1,
      $permissions: expect.arrayContaining(['read("user:ann")']),
    });
    expect(body.$updatedAt >= body.$createdAt).toBe(true);
    expect((await ask('GET', '/storage/buckets/bk/files/of-ann', { as: ann })).body).toEqual(body);
    expect(backend.events[0]).toMatchObject({
      userId: 'ann',
      payload: body,
      roles: ['user:ann'],
      channels: [
        'files',
        'buckets.bk.files',
        'buckets.bk.files.of-ann',
        'files.update',
        'buckets.bk.files.update',
        'buckets.bk.files.of-ann.update',
      ],
    });
  });

  it('replaces permissions, granting only roles the caller has', async () => {
    expect((await change(ann, { permissions: ['read("user:bob")'] })).status).toBe(401);
    const { body } = await change(ann, { permissions: ['read("any")', 'write("user:ann")'] });
    expect(body.$permissions).toEqual(['read("any")', 'update("user:ann")', 'delete("user:ann")']);
    expect(body.name).toBe('new.txt');
  });

  it('is for those who may', async () => {
    expect(await change(bob, { name: 'x' })).toMatchObject({ status: 401, body: { type: 'user_unauthorized' } });
    expect((await change('guest', { name: 'x' })).status).toBe(401);
    expect((await change(ann, { name: 'x' }, 'shut/files/f')).status).toBe(401);
    expect((await change('key', { name: 'x' }, 'shut/files/f')).status).toBe(200);
  });

  it('checks its parameters', async () => {
    expect((await change(ann, { name: 'x'.repeat(128) })).status).toBe(200);
    expect((await change(ann, { name: 'x'.repeat(129) })).status).toBe(400);
    expect((await change(ann, { permissions: ['create("any")'] })).status).toBe(400);
    expect((await change(ann, { name: 'x' }, 'bk/files/nope')).status).toBe(404);
  });
});

describe('deleting a file', () => {
  it('is for those who may', async () => {
    expect((await ask('DELETE', '/storage/buckets/bk/files/of-bob', { as: ann, body: {} })).status).toBe(401);
    expect((await ask('DELETE', '/storage/buckets/bk/files/nope', { as: ann, body: {} })).status).toBe(404);
    expect((await ask('DELETE', '/storage/buckets/shut/files/f', { as: ann, body: {} })).status).toBe(401);
  });

  it('takes record, bytes and previews away and tells the last state', async () => {
    await backend.upload('bk', 'brief', 'brief', { as: ann });
    const before = await backend.stored();
    await ask('GET', '/storage/buckets/bk/files/brief/view', { as: ann });
    backend.events.length = 0;
    expect((await ask('DELETE', '/storage/buckets/bk/files/brief', { as: ann, body: {} })).status).toBe(204);
    expect(await backend.stored()).toHaveLength(before.length - 1);
    for (const way of ['', '/view', '/preview']) {
      expect((await ask('GET', `/storage/buckets/bk/files/brief${way}`, { as: ann })).status).toBe(404);
    }
    expect(backend.events[0]?.events[0]).toBe('buckets.bk.files.brief.delete');
    expect(backend.events[0]?.payload).toMatchObject({ $id: 'brief', sizeActual: 5 });
  });
});
