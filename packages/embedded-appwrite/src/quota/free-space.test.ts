import { afterEach, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { GUEST } from '../http/access/authenticate.ts';
import { type Disk, FreeSpace } from './free-space.ts';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const FULL = { status: 507, body: { type: 'general_storage_full', code: 507 } };
let server: TestBackend | undefined;
afterEach(() => server?.stop());

function isFull(disk: Disk | undefined, reserve?: number): boolean {
  const space = new FreeSpace({ directory: '/', reserve, readDisk: () => disk });
  try {
    space.require(GUEST);
    return false;
  } catch {
    return true;
  }
}

it('is 256 MiB, on a small disk a twentieth, or what the operator says', () => {
  expect(isFull({ free: 256 * MEBIBYTE, size: 100 * GIBIBYTE })).toBe(false);
  expect(isFull({ free: 256 * MEBIBYTE - 1, size: 100 * GIBIBYTE })).toBe(true);
  expect(isFull({ free: 50, size: 1000 })).toBe(false);
  expect(isFull({ free: 49, size: 1000 })).toBe(true);
  expect(isFull({ free: 10, size: 1000 }, 10)).toBe(false);
  expect(isFull({ free: 9, size: 1000 }, 10)).toBe(true);
  expect(isFull({ free: 0, size: 1000 }, 0)).toBe(false);
  expect(isFull(undefined)).toBe(false);
});

it('is looked at once a second at most', () => {
  let time = 0;
  let free = 0;
  let asked = 0;
  const readDisk = () => {
    asked++;
    return { free, size: 1000 };
  };
  const space = new FreeSpace({ directory: '/', readDisk, clock: () => time });
  expect(() => space.require(GUEST)).toThrow('There is no room left on the server.');
  free = 1000;
  time = 999;
  expect(() => space.require(GUEST)).toThrow();
  expect(asked).toBe(1);
  time = 1000;
  space.require(GUEST);
  space.require({ ...GUEST, kind: 'key', privileged: true });
  expect(asked).toBe(2);
});

it('leaves users without writes, but with reading, deleting, signing in and out; keys write', async () => {
  server = await startTestBackend({ diskReserve: Number.MAX_SAFE_INTEGER });
  const { origin, request } = server;
  const documents = '/databases/db/collections/notes/documents';
  const byKey = async (path: string, body: object) => {
    expect((await request('POST', path, { asKey: true, body })).status).toBe(201);
  };
  const credentials = { email: 'ann@example.com', password: 'correct horse' };
  const rights = { fileSecurity: true, documentSecurity: true, permissions: ['create("users")'] };
  const attributes = [{ key: 'text', type: 'string', size: 100 }];
  await byKey('/users', { userId: 'ann', ...credentials });
  await byKey('/databases', { databaseId: 'db', name: 'db' });
  await byKey('/databases/db/collections', { collectionId: 'notes', name: 'notes', ...rights, attributes });
  await byKey('/storage/buckets', { bucketId: 'bk', name: 'bk', ...rights });
  const permissions = ['read("any")', 'update("user:ann")', 'delete("user:ann")'];
  await byKey(documents, { documentId: 'n', data: { text: 'x' }, permissions });

  const signedIn = await request('POST', '/account/sessions/email', { body: credentials });
  expect(signedIn.status).toBe(201);
  const { cookies } = signedIn;
  const data = { text: 'y' };
  expect(await request('POST', documents, { cookies, body: { documentId: 'm', data } })).toMatchObject(FULL);
  expect(await request('PATCH', `${documents}/n`, { cookies, body: { data } })).toMatchObject(FULL);
  expect(await request('PUT', `${documents}/n`, { cookies, body: { data } })).toMatchObject(FULL);
  expect(await request('PATCH', '/account/prefs', { cookies, body: { prefs: { a: 1 } } })).toMatchObject(FULL);
  const account = { userId: 'bob', email: 'bob@example.com', password: 'correct horse' };
  expect(await request('POST', '/account', { body: account })).toMatchObject(FULL);
  const form = new FormData();
  form.append('fileId', 'f');
  form.append('file', new File(['x'], 'f.bin'));
  const headers = { 'x-appwrite-project': 'p1', cookie: cookies };
  const upload = await fetch(`${origin}/v1/storage/buckets/bk/files`, { method: 'POST', body: form, headers });
  expect({ status: upload.status, body: await upload.json() }).toMatchObject(FULL);

  expect((await request('GET', `${documents}/n`, { cookies })).status).toBe(200);
  expect((await request('DELETE', `${documents}/n`, { cookies })).status).toBe(204);
  expect((await request('DELETE', '/account/sessions/current', { cookies })).status).toBe(204);
});
