/** S: uploads in one request (contract 2.7). */
import { InputFile } from 'node-appwrite/file';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { DATE, refused } from './expect.ts';
import { bucket, CHUNK, md5, picture, publicBucket, securedBucket, stored, TEXT, upload } from './files.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { owner } from './schema.ts';

const bk = once(() => securedBucket(server()));
const pubbk = once(() => publicBucket(server()));
const ann = once(() => person(server()));

line('S02', 'a small upload is complete at once; its type comes from its content', async () => {
  const { bucketId } = await pubbk();
  const bytes = await picture(40, 30);
  const expected = {
    bucketId,
    $createdAt: expect.stringMatching(DATE),
    name: 'photo.jpg',
    signature: md5(bytes),
    mimeType: 'image/png',
    sizeOriginal: bytes.length,
    chunksTotal: 1,
    chunksUploaded: 1,
  };
  const file = { fileId: fresh('file'), name: 'photo.jpg', bytes };
  const raw = await stored(guest(server()).http, await pubbk(), file);
  expect(raw).toMatchObject({ $id: file.fileId, ...expected });
  expect((await guest(server()).http.get(`${(await pubbk()).files}/${raw.$id}/view`)).is(200).bytes).toEqual(bytes);
  const part = new File([new Uint8Array(bytes)], 'photo.jpg', { type: 'text/html' });
  const web = await guest(server()).web.storage.createFile({ bucketId, fileId: fresh('file'), file: part });
  expect(web).toMatchObject(expected);
  const node = await guest(server()).node.storage.createFile({
    bucketId,
    fileId: 'unique()',
    file: InputFile.fromBuffer(bytes, 'photo.jpg'),
  });
  expect(node).toMatchObject({ $id: expect.stringMatching(/^[a-zA-Z0-9]{20}$/), ...expected });
});

line('S03', "without permissions a user's file is his own, a key's nobody's", async () => {
  const { bucketId } = await bk();
  const { id, http, web } = await ann();
  const raw = await stored(http, await bk());
  const file = new File([TEXT], 'note.txt');
  const sdk = await web.storage.createFile({ bucketId, fileId: fresh('file'), file });
  for (const { $permissions } of [raw, sdk]) expect([...$permissions].sort()).toEqual(owner(id).sort());
  expect((await stored(admin(server()).http, await bk())).$permissions).toEqual([]);
  const open = await stored(http, await bk(), { permissions: ['read("any")', `write("user:${id}")`] });
  expect([...open.$permissions].sort()).toEqual([`delete("user:${id}")`, 'read("any")', `update("user:${id}")`]);
  await refused(
    { code: 401, type: 'user_unauthorized', message: /^Permissions must be one of: \(/ },
    upload(http, await bk(), { permissions: ['read("user:somebody")'] }),
  );
  await refused({ code: 401, type: 'user_unauthorized' }, upload(guest(server()).http, await bk()));
});

line('S04', 'extension and size are checked, the size as declared by the first chunk', async () => {
  const { bucketId } = await pubbk();
  const { http, web } = guest(server());
  await refused(
    { code: 400, type: 'storage_file_type_unsupported', message: 'File extension not allowed' },
    upload(http, await pubbk(), { name: 'note.txt' }),
    upload(http, await pubbk(), { name: 'jpg' }),
    web.storage.createFile({ bucketId, fileId: fresh('file'), file: new File([TEXT], 'note.txt') }),
  );
  const small = await bucket(server(), { permissions: ['create("any")'], maximumFileSize: 100 });
  const tooBig = { code: 400, type: 'storage_invalid_file_size', message: 'File size not allowed' };
  await stored(http, small, { bytes: Buffer.alloc(100, 'x') });
  await refused(
    tooBig,
    upload(http, small, { bytes: Buffer.alloc(101, 'x') }),
    web.storage.createFile({ ...small, fileId: fresh('file'), file: new File(['x'.repeat(101)], 'x.txt') }),
    upload(http, await pubbk(), {
      name: 'film.mp4',
      bytes: Buffer.alloc(CHUNK),
      headers: { 'content-range': `bytes 0-${CHUNK - 1}/10000001` },
    }),
  );
});

line('S06', 'an upload without a file is 400', async () => {
  const { files } = await pubbk();
  const form = new FormData();
  form.append('fileId', fresh('file'));
  await refused(
    { code: 400, type: 'storage_file_empty', message: 'Empty file passed to the endpoint.' },
    guest(server()).http.post(files, form),
  );
});

line('S07', 'an id exists once in a bucket', async () => {
  const { bucketId } = await bk();
  const { http, web } = await ann();
  const { $id } = await stored(http, await bk());
  await refused(
    {
      code: 409,
      type: 'storage_file_already_exists',
      message: 'A storage file with the requested ID already exists.',
    },
    upload(http, await bk(), { fileId: $id }),
    upload(admin(server()).http, await bk(), { fileId: $id }),
    web.storage.createFile({ bucketId, fileId: $id, file: new File([TEXT], 'note.txt') }),
  );
});

line('S08', 'a bucket that does not exist is 404', async () => {
  const nowhere = { bucketId: 'nope', files: '/storage/buckets/nope/files' };
  const rule = {
    code: 404,
    type: 'storage_bucket_not_found',
    message: 'Storage bucket with the requested ID could not be found.',
  };
  const { http, web } = await ann();
  await refused(
    rule,
    upload(http, nowhere),
    http.get(nowhere.files),
    http.get(`${nowhere.files}/f/view`),
    upload(admin(server()).http, nowhere),
    web.storage.listFiles({ bucketId: 'nope' }),
  );
});
