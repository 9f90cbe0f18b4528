/** The official SDKs, unchanged, against the storage service. */
import { createHash, randomBytes } from 'node:crypto';
import { Client, ImageFormat, Permission, Query, Role, Storage } from 'appwrite';
import * as server from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Fixture, png, startFixture } from '../../tests/support/storage.ts';

const BIG = randomBytes(12 * 1024 * 1024 + 5);
const md5 = createHash('md5').update(BIG).digest('hex');

let backend: Fixture;
let browser: Storage;
let node: server.Client;
beforeAll(async () => {
  // The SDK warns at each call that it is newer than the server.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  backend = await startFixture();
  const session = await backend.user('ann');
  browser = new Storage(new Client().setEndpoint(backend.endpoint).setProject('p1').setSession(session));
  node = new server.Client().setEndpoint(backend.endpoint).setProject('p1').setKey(backend.key);
});
afterAll(() => backend.close());

it('provisions a bucket with node-appwrite', async () => {
  const bucket = await new server.Storage(node).createBucket({
    bucketId: 'media',
    name: 'Media',
    permissions: [server.Permission.create(server.Role.users())],
    fileSecurity: true,
    allowedFileExtensions: ['png', 'bin'],
  });
  expect(bucket.$id).toBe('media');
  expect((await new server.Storage(node).listBuckets()).total).toBe(1);
});

it('uploads 12 MB from the browser SDK in chunks, with progress', async () => {
  backend.events.length = 0;
  const progress: number[] = [];
  const file = await browser.createFile({
    bucketId: 'media',
    fileId: 'big',
    file: new File([BIG], 'big.bin'),
    permissions: [Permission.read(Role.any()), Permission.write(Role.user('ann'))],
    onProgress: (step) => progress.push(step.progress),
  });
  expect(file).toMatchObject({ $id: 'big', chunksTotal: 3, chunksUploaded: 3, signature: md5, name: 'big.bin' });
  expect(file.$permissions).toEqual(['read("any")', 'update("user:ann")', 'delete("user:ann")']);
  expect(progress).toHaveLength(3);
  expect(progress[0]).toBe(42);
  expect(progress.at(-1)).toBe(100);
  expect(backend.events).toHaveLength(1);
});

it('uploads 12 MB from node-appwrite and reads them back', async () => {
  const storage = new server.Storage(node);
  const file = await storage.createFile({
    bucketId: 'media',
    fileId: server.ID.unique(),
    file: InputFile.fromBuffer(BIG, 'big.bin'),
  });
  expect(file).toMatchObject({ chunksTotal: 3, chunksUploaded: 3, signature: md5, $permissions: [] });
  const bytes = await storage.getFileDownload({ bucketId: 'media', fileId: file.$id });
  expect(Buffer.from(bytes).equals(BIG)).toBe(true);
  await storage.deleteFile({ bucketId: 'media', fileId: file.$id });
});

it('uploads a picture, shows it by URL, changes and deletes it', async () => {
  const file = await browser.createFile({
    bucketId: 'media',
    fileId: 'picture',
    file: new File([(await png(64, 32)) as BlobPart], 'pic.png'),
    permissions: [Permission.read(Role.any()), Permission.write(Role.user('ann'))],
  });
  expect(file.mimeType).toBe('image/png');
  const url = browser.getFilePreview({ bucketId: 'media', fileId: 'picture', width: 16, output: ImageFormat.Webp });
  const preview = await fetch(url);
  expect(preview.status).toBe(200);
  expect(preview.headers.get('content-type')).toBe('image/webp');
  const view = await fetch(browser.getFileView({ bucketId: 'media', fileId: 'picture' }));
  expect(view.headers.get('content-disposition')).toBe('inline; filename="pic.png"');

  const changed = await browser.updateFile({ bucketId: 'media', fileId: 'picture', name: 'new.png' });
  expect(changed.name).toBe('new.png');
  const { files } = await browser.listFiles({ bucketId: 'media', queries: [Query.equal('name', ['new.png'])] });
  expect(files.map(({ $id }) => $id)).toEqual(['picture']);
  await browser.deleteFile({ bucketId: 'media', fileId: 'picture' });
  await expect(browser.getFile({ bucketId: 'media', fileId: 'picture' })).rejects.toMatchObject({
    code: 404,
    type: 'storage_file_not_found',
  });
});

it('opens a private file by a token made with node-appwrite', async () => {
  await browser.createFile({ bucketId: 'media', fileId: 'private', file: new File(['secret'], 'a.bin') });
  const token = await new server.Tokens(node).createFileToken({ bucketId: 'media', fileId: 'private' });
  const visitor = new Storage(new Client().setEndpoint(backend.endpoint).setProject('p1'));
  const closed = await fetch(visitor.getFileView({ bucketId: 'media', fileId: 'private' }));
  expect(closed.status).toBe(404);
  const opened = await fetch(visitor.getFileView({ bucketId: 'media', fileId: 'private', token: token.secret }));
  expect(await opened.text()).toBe('secret');
});

it('says in words what it refuses', async () => {
  await expect(
    browser.createFile({ bucketId: 'media', fileId: 'exe', file: new File(['x'], 'a.exe') }),
  ).rejects.toMatchObject({ code: 400, type: 'storage_file_type_unsupported', message: 'File extension not allowed' });
});
