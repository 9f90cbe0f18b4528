import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../../tests/support/storage.ts';

let backend: Fixture;
let ann: string;
beforeAll(async () => {
  backend = await startFixture();
  ann = await backend.user('ann');
});
afterAll(() => backend.close());
const ask: Fixture['ask'] = (...args) => backend.ask(...args);

const create = (body: Record<string, unknown>) => ask('POST', '/storage/buckets', { as: 'key', body });

describe('creating a bucket', () => {
  it('fills in the defaults', async () => {
    const { status, body } = await create({ bucketId: 'pics', name: 'Pictures' });
    expect(status).toBe(201);
    expect(body).toEqual({
      $id: 'pics',
      $createdAt: body.$createdAt,
      $updatedAt: body.$createdAt,
      $permissions: [],
      fileSecurity: false,
      name: 'Pictures',
      enabled: true,
      maximumFileSize: 30_000_000,
      allowedFileExtensions: [],
      compression: 'none',
      encryption: true,
      antivirus: true,
      transformations: true,
      totalSize: 0,
    });
    expect(body.$createdAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/);
  });

  it('expands write and makes an id when asked', async () => {
    const { body } = await create({ bucketId: 'unique()', name: 'x', permissions: ['write("users")', 'read("any")'] });
    expect(body.$id).toHaveLength(20);
    expect(body.$permissions).toEqual(['create("users")', 'update("users")', 'delete("users")', 'read("any")']);
  });

  it('refuses a taken id', async () => {
    await create({ bucketId: 'twice', name: 'x' });
    expect(await create({ bucketId: 'twice', name: 'x' })).toMatchObject({
      status: 409,
      body: { type: 'storage_bucket_already_exists' },
    });
  });

  it.each([
    [{ bucketId: '_x', name: 'x' }, 'bucketId'],
    [{ bucketId: 'a'.repeat(37), name: 'x' }, 'bucketId'],
    [{ bucketId: 'b1' }, 'name'],
    [{ bucketId: 'b1', name: '' }, 'name'],
    [{ bucketId: 'b1', name: 'x'.repeat(129) }, 'name'],
    [{ bucketId: 'b1', name: 'x', maximumFileSize: 0 }, 'maximumFileSize'],
    [{ bucketId: 'b1', name: 'x', maximumFileSize: 30_000_001 }, 'maximumFileSize'],
    [{ bucketId: 'b1', name: 'x', compression: 'rar' }, 'compression'],
    [{ bucketId: 'b1', name: 'x', permissions: ['admin("any")'] }, 'permissions'],
    [{ bucketId: 'b1', name: 'x', allowedFileExtensions: 'png' }, 'allowedFileExtensions'],
    [{ bucketId: 'b1', name: 'x', enabled: 'perhaps' }, 'enabled'],
  ])('refuses %j, naming %s', async (body, parameter) => {
    const reply = await create(body);
    expect(reply).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
    expect(reply.body.message).toContain(parameter);
  });

  it('is not for users or guests', async () => {
    for (const as of ['guest', ann]) {
      const reply = await ask('POST', '/storage/buckets', { as, body: { bucketId: 'x', name: 'x' } });
      expect(reply).toMatchObject({ status: 401, body: { type: 'general_unauthorized_scope' } });
    }
  });
});

describe('changing a bucket', () => {
  it('keeps permissions and size, and resets flags that are not named', async () => {
    await create({
      bucketId: 'change',
      name: 'Before',
      permissions: ['read("any")'],
      fileSecurity: true,
      maximumFileSize: 100,
      allowedFileExtensions: ['png'],
    });
    const { status, body } = await ask('PUT', '/storage/buckets/change', { as: 'key', body: { name: 'After' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'After',
      $permissions: ['read("any")'],
      maximumFileSize: 30_000_000,
      fileSecurity: false,
      allowedFileExtensions: [],
    });
    expect((await ask('GET', '/storage/buckets/change', { as: 'key' })).body).toEqual(body);
  });

  it('answers 404 for an unknown one', async () => {
    const NOT_FOUND = { status: 404, body: { type: 'storage_bucket_not_found' } };
    expect(await ask('PUT', '/storage/buckets/nope', { as: 'key', body: { name: 'x' } })).toMatchObject(NOT_FOUND);
    expect(await ask('GET', '/storage/buckets/nope', { as: 'key' })).toMatchObject(NOT_FOUND);
    expect(await ask('DELETE', '/storage/buckets/nope', { as: 'key', body: {} })).toMatchObject(NOT_FOUND);
  });
});

describe('listing buckets', () => {
  it('filters, searches and counts', async () => {
    await create({ bucketId: 'list-a', name: 'Sunday' });
    await create({ bucketId: 'list-b', name: 'Monday', fileSecurity: true });
    const list = async (query: string) => (await ask('GET', `/storage/buckets?${query}`, { as: 'key' })).body;
    const equal = encodeURIComponent('{"method":"equal","attribute":"name","values":["Sunday"]}');
    expect(await list(`queries[0]=${equal}`)).toMatchObject({ total: 1, buckets: [{ $id: 'list-a' }] });
    expect(await list('search=LIST-')).toMatchObject({ total: 2 });
    expect(await list('search=list-&total=0')).toMatchObject({ total: 0, buckets: [{}, {}] });
  });

  it('answers a faulty query with general_argument_invalid', async () => {
    const query = encodeURIComponent('{"method":"equal","attribute":"nope","values":["x"]}');
    expect(await ask('GET', `/storage/buckets?queries[0]=${query}`, { as: 'key' })).toMatchObject({
      status: 400,
      body: {
        type: 'general_argument_invalid',
        message: 'Invalid `queries` param: Invalid query: Attribute not found in schema: nope',
      },
    });
  });
});

describe('deleting a bucket', () => {
  it('takes its files and their bytes along', async () => {
    await backend.bucket('gone', { permissions: ['read("any")'] });
    await backend.upload('gone', 'f', 'hello', { as: 'key' });
    const before = await backend.stored();
    expect(before).toHaveLength(1);
    expect((await ask('GET', '/storage/buckets/gone', { as: 'key' })).body.totalSize).toBe(5);
    expect((await ask('DELETE', '/storage/buckets/gone', { as: 'key', body: {} })).status).toBe(204);
    expect(await backend.stored()).toEqual([]);
    expect((await ask('GET', '/storage/buckets/gone/files/f/view')).status).toBe(404);
  });
});

it('tells the bus of each change', async () => {
  backend.events.length = 0;
  await create({ bucketId: 'told', name: 'x' });
  await ask('PUT', '/storage/buckets/told', { as: 'key', body: { name: 'y' } });
  await ask('DELETE', '/storage/buckets/told', { as: 'key', body: {} });
  expect(backend.events.map(({ events }) => events[0])).toEqual([
    'buckets.told.create',
    'buckets.told.update',
    'buckets.told.delete',
  ]);
});

it('hides a disabled bucket from everyone but keys', async () => {
  await backend.bucket('off', { permissions: ['read("any")'], enabled: false });
  expect((await ask('GET', '/storage/buckets/off/files', { as: ann })).status).toBe(404);
  expect((await ask('GET', '/storage/buckets/off/files', { as: 'key' })).status).toBe(200);
});
