import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../../tests/support/storage.ts';

let backend: Fixture;
let ann: string;
beforeAll(async () => {
  backend = await startFixture();
  ann = await backend.user('ann');
  await backend.bucket('bk', { fileSecurity: true, permissions: ['create("users")'] });
  await backend.bucket('shut');
  for (const id of ['one', 'two']) await backend.upload('bk', id, id, { as: ann });
  await backend.upload('shut', 'one', 'shut', { as: 'key' });
});
afterAll(() => backend.close());

const create = (bucketId: string, fileId: string, body: object = {}, as = 'key') =>
  backend.ask('POST', `/tokens/buckets/${bucketId}/files/${fileId}`, { as, body });
const view = (file: string, token: string) =>
  backend.ask('GET', `/storage/buckets/${file}/view?project=p1&token=${token}`);

it('is made with a key and opens its file, in every way', async () => {
  const { status, body } = await create('bk', 'one');
  expect(status).toBe(201);
  expect(body).toMatchObject({ resourceId: 'bk:one', resourceType: 'files', expire: '' });
  for (const way of ['view', 'download', 'preview']) {
    const reply = await backend.ask('GET', `/storage/buckets/bk/files/one/${way}?token=${body.secret}`);
    expect(reply.status).toBe(200);
  }
  const shut = await create('shut', 'one');
  expect((await view('shut/files/one', shut.body.secret)).status).toBe(200);
});

it('opens no other file', async () => {
  const { body } = await create('bk', 'one');
  expect((await view('bk/files/two', body.secret)).status).toBe(401);
  expect((await view('shut/files/one', body.secret)).status).toBe(401);
});

it('is as none when wrong, and refused when empty', async () => {
  expect((await view('bk/files/one', 'wrong')).status).toBe(404);
  expect(await view('bk/files/one', '')).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } });
});

it('ends at its date', async () => {
  const { body } = await create('bk', 'one', { expire: new Date(Date.now() + 2000).toISOString() });
  expect(body.expire).toMatch(/\+00:00$/);
  expect((await view('bk/files/one', body.secret)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 2100));
  expect((await view('bk/files/one', body.secret)).status).toBe(404);
  expect((await create('bk', 'one', { expire: '2020-01-01' })).status).toBe(400);
});

it('is listed, read, changed and deleted', async () => {
  const { body: token } = await create('bk', 'two');
  const list = await backend.ask('GET', '/tokens/buckets/bk/files/two', { as: 'key' });
  expect(list.body).toEqual({ total: 1, tokens: [token] });
  expect((await backend.ask('GET', `/tokens/${token.$id}`, { as: 'key' })).body).toEqual(token);
  const changed = await backend.ask('PATCH', `/tokens/${token.$id}`, { as: 'key', body: { expire: '2999-01-01' } });
  expect(changed.body.expire).toBe('2999-01-01T00:00:00.000+00:00');
  expect((await backend.ask('DELETE', `/tokens/${token.$id}`, { as: 'key', body: {} })).status).toBe(204);
  expect(await backend.ask('GET', `/tokens/${token.$id}`, { as: 'key' })).toMatchObject({
    status: 404,
    body: { type: 'token_not_found' },
  });
  expect((await view('bk/files/two', token.secret)).status).toBe(404);
});

it('is not made by users, or for files that are not there', async () => {
  expect((await create('bk', 'one', {}, ann)).body.type).toBe('general_unauthorized_scope');
  expect((await create('bk', 'nope')).status).toBe(404);
});
