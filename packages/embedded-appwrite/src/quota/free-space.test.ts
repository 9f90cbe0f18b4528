import { expect, it } from 'vitest';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { GUEST } from '../http/access/authenticate.ts';
import { type Disk, FreeSpace } from './free-space.ts';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const FULL = { status: 507, body: { type: 'general_storage_full', code: 507 } };

it.each<[string, Disk | undefined, number | undefined, boolean]>([
  ['256 MiB', { free: 256 * MEBIBYTE, size: 100 * GIBIBYTE }, undefined, false],
  ['less than 256 MiB', { free: 256 * MEBIBYTE - 1, size: 100 * GIBIBYTE }, undefined, true],
  ['a twentieth of a small disk', { free: 50, size: 1000 }, undefined, false],
  ['less than a twentieth of a small disk', { free: 49, size: 1000 }, undefined, true],
  ['the operator’s reserve', { free: 10, size: 1000 }, 10, false],
  ['less than the operator’s reserve', { free: 9, size: 1000 }, 10, true],
  ['no byte, without a reserve,', { free: 0, size: 1000 }, 0, false],
  ['an unknown number of bytes', undefined, undefined, false],
])('keeps a reserve: %s free', (_what, disk, reserve, isFull) => {
  const space = new FreeSpace({ directory: '/', reserve, readDisk: () => disk });
  if (isFull) expect(() => space.require(GUEST)).toThrow('There is no room left on the server.');
  else space.require(GUEST);
});

it('reads the disk at most once a second', () => {
  let [time, free] = [0, 0];
  const space = new FreeSpace({ directory: '/', readDisk: () => ({ free, size: 1000 }), clock: () => time });
  expect(() => space.require(GUEST)).toThrow('There is no room left on the server.');
  [time, free] = [999, 1000];
  expect(() => space.require(GUEST)).toThrow();
  time = 1000;
  space.require(GUEST);
});

it('lets users read, delete, sign in and out, and keys write, when only the reserve is left', async () => {
  const server = await backendOfTest({ diskReserve: Number.MAX_SAFE_INTEGER });
  const { request } = server;
  const byKey = async (path: string, body: object) =>
    expect((await request('POST', path, { asKey: true, body })).status).toBe(201);
  const credentials = { email: 'ann@example.com', password: 'correct horse' };
  const rights = { fileSecurity: true, documentSecurity: true, permissions: ['create("users")'] };
  const attributes = [{ key: 'text', type: 'string', size: 100 }];
  await byKey('/users', { userId: 'ann', ...credentials });
  const documents = await server.collection('notes', { ...rights, attributes });
  await server.bucket('bk', rights);
  const permissions = ['read("any")', 'update("user:ann")', 'delete("user:ann")'];
  await byKey(documents, { documentId: 'n', data: { text: 'x' }, permissions });

  const signedIn = await request('POST', '/account/sessions/email', { body: credentials });
  expect(signedIn.status).toBe(201);
  const { cookies } = signedIn;
  const data = { text: 'y' };
  const account = { userId: 'bob', email: 'bob@example.com', password: 'correct horse' };
  for (const [method, path, body] of [
    ['POST', documents, { documentId: 'm', data }],
    ['PATCH', `${documents}/n`, { data }],
    ['PUT', `${documents}/n`, { data }],
    ['PATCH', '/account/prefs', { prefs: { a: 1 } }],
    ['POST', '/account', account],
  ] as const) {
    expect(await request(method, path, { cookies, body }), `${method} ${path}`).toMatchObject(FULL);
  }
  expect(await server.upload('bk', 'f', 'x', { cookies })).toMatchObject(FULL);

  expect((await request('GET', `${documents}/n`, { cookies })).status).toBe(200);
  expect((await request('DELETE', `${documents}/n`, { cookies })).status).toBe(204);
  expect((await request('DELETE', '/account/sessions/current', { cookies })).status).toBe(204);
});
