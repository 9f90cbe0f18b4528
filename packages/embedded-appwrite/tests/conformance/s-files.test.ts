/** S: uploads, in one request and in chunks (contract 2.7). */
import type { Models } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { once } from './cleanup.ts';
import { DATE, error, FOREIGN_ROLE, NO_FILE, refused, UNAUTHORIZED } from './expect.ts';
import { bucket, CHUNK, chunkHeaders, md5, noise, picture, securedBucket, stored, TEXT, upload } from './files.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import { person } from './people.ts';
import { owner } from './schema.ts';

const bk = once(securedBucket);

/** Limits of the bucket `pubbk`, where anyone may read files and create jpg, png and mp4 files of up to 10 MB. */
const bounds = { allowedFileExtensions: ['jpg', 'png', 'mp4'], maximumFileSize: 10_000_000 };
const pubbk = once(() => bucket({ permissions: ['read("any")', 'create("any")'], ...bounds }));

test('S02 a small upload is complete at once; its type comes from its content', async ({ guest }) => {
  const { bucketId, files } = await pubbk();
  const [bytes, name] = [await picture(40, 30), 'photo.jpg'];
  const expected = {
    ...{ bucketId, $createdAt: DATE, name, signature: md5(bytes), mimeType: 'image/png' },
    ...{ sizeOriginal: bytes.length, chunksTotal: 1, chunksUploaded: 1 },
  };
  const fileId = fresh('file');
  const raw = await stored(guest.http, await pubbk(), { fileId, name, bytes });
  expect(raw).toMatchObject({ $id: fileId, ...expected });
  expect((await guest.http.get(`${files}/${fileId}/view`).is(200)).bytes).toEqual(bytes);
  const part = new File([new Uint8Array(bytes)], name, { type: 'text/html' });
  const web = await guest.web.storage.createFile({ bucketId, fileId: fresh('file'), file: part });
  expect(web).toMatchObject(expected);
  const made = { bucketId, fileId: 'unique()', file: InputFile.fromBuffer(bytes, name) };
  const $id = expect.stringMatching(/^[a-zA-Z0-9]{20}$/);
  expect(await guest.node.storage.createFile(made)).toMatchObject({ $id, ...expected });
});

test("S03 without permissions a user's file is his own, a key's nobody's", async ({ ann, guest, key }) => {
  const [where, { id }] = [await bk(), ann];
  const file = new File([TEXT], 'note.txt');
  const sdk = await ann.web.storage.createFile({ bucketId: where.bucketId, fileId: fresh('file'), file });
  const permissions = ['read("any")', `write("user:${id}")`];
  for (const [{ $permissions }, expected] of [
    [await stored(ann.http, where), owner(id)],
    [sdk, owner(id)],
    [await stored(key.http, where), []],
    [await stored(ann.http, where, { permissions }), ['read("any")', `update("user:${id}")`, `delete("user:${id}")`]],
  ] as const) {
    expect([...$permissions].sort()).toEqual([...expected].sort());
  }
  await refused(FOREIGN_ROLE, upload(ann.http, where, { permissions: ['read("user:somebody")'] }));
  await refused(UNAUTHORIZED, upload(guest.http, where));
});

test('S04 extension and size are checked, the size as the first chunk declares it', async ({ guest }) => {
  const { http, web } = guest;
  const { bucketId } = await pubbk();
  await refused(
    error(400, 'storage_file_type_unsupported', 'File extension not allowed'),
    upload(http, await pubbk(), { name: 'note.txt' }),
    upload(http, await pubbk(), { name: 'jpg' }),
    web.storage.createFile({ bucketId, fileId: fresh('file'), file: new File([TEXT], 'note.txt') }),
  );
  const small = await bucket({ permissions: ['create("any")'], maximumFileSize: 100 });
  await stored(http, small, { bytes: Buffer.alloc(100, 'x') });
  const headers = { 'content-range': `bytes 0-${CHUNK - 1}/10000001` };
  const rule = error(400, 'storage_invalid_file_size', 'File size not allowed');
  const begun = upload(http, await pubbk(), { name: 'film.mp4', bytes: Buffer.alloc(CHUNK), headers });
  await refused(rule, upload(http, small, { bytes: Buffer.alloc(101, 'x') }), begun);
});

test('S06 an upload without a file is 400', async ({ guest }) => {
  const form = new FormData();
  form.append('fileId', fresh('file'));
  const rule = error(400, 'storage_file_empty', 'Empty file passed to the endpoint.');
  await refused(rule, guest.http.post((await pubbk()).files, form));
});

test('S07 an id exists once in a bucket', async ({ ann, key }) => {
  const { $id: fileId } = await stored(ann.http, await bk());
  const rule = error(409, 'storage_file_already_exists', 'A storage file with the requested ID already exists.');
  for (const { http } of [ann, key]) await refused(rule, upload(http, await bk(), { fileId }));
});

test('S08 a bucket that does not exist is 404', async ({ ann: { http }, key }) => {
  const nowhere = { bucketId: 'nope', files: '/storage/buckets/nope/files' };
  const rule = error(404, 'storage_bucket_not_found', 'Storage bucket with the requested ID could not be found.');
  const reads = ['', '/f/view'].map((path) => http.get(nowhere.files + path));
  await refused(rule, ...reads, upload(http, nowhere), upload(key.http, nowhere));
});

const SIZE = 12 * 1024 * 1024;
const film = once(async () => noise(SIZE));
const uploader = once(() => person());

async function sendChunk(number: number, fileId: string, first = false) {
  const start = number * CHUNK;
  return upload((await uploader()).http, await bk(), {
    ...{ fileId, name: 'film.bin', bytes: (await film()).subarray(start, start + CHUNK) },
    headers: chunkHeaders(start, SIZE, first ? undefined : fileId),
  });
}

const chunk = async (number: number, fileId: string, first = false) =>
  (await sendChunk(number, fileId, first)).is(201).json<Models.File>();

async function sameBytes(fileId: string): Promise<void> {
  const { bytes } = await (await uploader()).http.get(`${(await bk()).files}/${fileId}/view`).is(200);
  expect(md5(bytes)).toBe(md5(await film()));
}

test('S09 twelve megabytes are three chunks, in any order and in parallel after the first', async () => {
  const { bucketId } = await bk();
  const bytes = new Uint8Array(await film());
  const { web, node } = await uploader();
  const complete = { chunksTotal: 3, chunksUploaded: 3, signature: md5(bytes), sizeOriginal: SIZE, name: 'film.bin' };
  const progress: number[] = [];
  const byBrowser = await web.storage.createFile({
    ...{ bucketId, fileId: fresh('file'), file: new File([bytes], 'film.bin') },
    onProgress: ({ chunksUploaded }) => progress.push(chunksUploaded),
  });
  expect(progress).toEqual([1, 2, 3]);
  const file = InputFile.fromBuffer(bytes, 'film.bin');
  const byServer = await node.storage.createFile({ bucketId, fileId: 'unique()', file });
  for (const made of [byBrowser, byServer]) {
    expect(made).toMatchObject(complete);
    await sameBytes(made.$id);
  }
  const fileId = fresh('file');
  const unfinished = { $id: fileId, chunksTotal: 3, signature: '', mimeType: '', sizeActual: 0 };
  expect(await chunk(0, fileId, true)).toMatchObject({ ...unfinished, chunksUploaded: 1 });
  for (const again of [2, 2]) expect(await chunk(again, fileId)).toMatchObject({ ...unfinished, chunksUploaded: 2 });
  expect(await chunk(1, fileId)).toMatchObject({ $id: fileId, ...complete });
  await sameBytes(fileId);
});

test('S11 a chunk that is sent again after the end is 200', async () => {
  const fileId = fresh('file');
  await chunk(0, fileId, true);
  await Promise.all([chunk(1, fileId), chunk(2, fileId)]);
  expect((await sendChunk(2, fileId)).is(200).json()).toMatchObject({ $id: fileId, chunksUploaded: 3, chunksTotal: 3 });
  await sameBytes(fileId);
});

test('S12 a chunk needs a real id and a range that is one', async ({ ann: { http } }) => {
  const where = await bk();
  const sent = (range: string, headers = {}) =>
    upload(http, where, { bytes: Buffer.from('0123456789'), headers: { 'content-range': range, ...headers } });
  await refused(error(400, 'storage_invalid_appwrite_id'), sent('bytes 0-9/20', { 'x-appwrite-id': 'unique()' }));
  const message = 'The content range is invalid. Please check the value of the Content-Range header.';
  const bad = ['bytes 10-5/20', 'bytes 0-21/20', 'nonsense'];
  await refused(error(400, 'storage_invalid_content_range', message), ...bad.map((range) => sent(range)));
});

test('S14 an unfinished upload cannot be read, but deleted', async () => {
  const { files, bucketId } = await bk();
  const { http, web } = await uploader();
  const fileId = fresh('file');
  const path = `${files}/${fileId}`;
  await chunk(0, fileId, true);
  await refused(NO_FILE, http.get(`${path}/view`), http.get(`${path}/download`));
  const preview = await http.get(`${path}/preview`).is(200, 404);
  if (preview.status === 200) expect(preview.header('content-type')).toMatch(/^image\//);
  const listed = await web.storage.listFiles({ bucketId });
  expect(listed.files.find(({ $id }) => $id === fileId)).toMatchObject({ chunksTotal: 3, chunksUploaded: 1 });
  await http.delete(path, {}).is(204);
  await refused(NO_FILE, http.get(path));
});
