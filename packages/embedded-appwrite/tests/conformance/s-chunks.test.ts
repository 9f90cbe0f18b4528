/** S: uploads in chunks (contract 2.7, chunked upload). */
import type { Models } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { refused } from './expect.ts';
import { CHUNK, chunkHeaders, md5, noise, securedBucket, stored, upload } from './files.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { person } from './people.ts';

const bk = once(() => securedBucket(server()));
const ann = once(() => person(server()));

const SIZE = 12 * 1024 * 1024;
const film = once(async () => noise(SIZE));

/** Sends chunk `number`, counted from 0. */
async function chunk(number: number, fileId: string, first = false): Promise<Models.File> {
  const start = number * CHUNK;
  return stored((await ann()).http, await bk(), {
    fileId,
    name: 'film.bin',
    bytes: (await film()).subarray(start, start + CHUNK),
    headers: chunkHeaders(start, SIZE, first ? undefined : fileId),
  });
}

async function sameBytes(fileId: string): Promise<void> {
  const { files } = await bk();
  const answer = await (await ann()).http.get(`${files}/${fileId}/view`);
  expect(md5(answer.is(200).bytes)).toBe(md5(await film()));
}

line('S09', 'twelve megabytes are three chunks, in any order and in parallel after the first', async () => {
  const { bucketId } = await bk();
  const bytes = await film();
  const { web, node } = await ann();
  const complete = { chunksTotal: 3, chunksUploaded: 3, signature: md5(bytes), sizeOriginal: SIZE, name: 'film.bin' };
  const progress: number[] = [];
  const byBrowser = await web.storage.createFile({
    bucketId,
    fileId: fresh('file'),
    file: new File([new Uint8Array(bytes)], 'film.bin'),
    onProgress: ({ chunksUploaded }) => progress.push(chunksUploaded),
  });
  expect(byBrowser).toMatchObject(complete);
  expect(progress).toEqual([1, 2, 3]);
  await sameBytes(byBrowser.$id);
  const file = InputFile.fromBuffer(new Uint8Array(bytes), 'film.bin');
  const byServer = await node.storage.createFile({ bucketId, fileId: 'unique()', file });
  expect(byServer).toMatchObject(complete);
  await sameBytes(byServer.$id);
  const fileId = fresh('file');
  const unfinished = { $id: fileId, chunksTotal: 3, signature: '', mimeType: '', sizeActual: 0 };
  expect(await chunk(0, fileId, true)).toMatchObject({ ...unfinished, chunksUploaded: 1 });
  expect(await chunk(2, fileId)).toMatchObject({ ...unfinished, chunksUploaded: 2 });
  expect(await chunk(2, fileId)).toMatchObject({ ...unfinished, chunksUploaded: 2 });
  expect(await chunk(1, fileId)).toMatchObject({ $id: fileId, ...complete });
  await sameBytes(fileId);
});

line('S11', 'a chunk that is sent again after the end is 200', async () => {
  const fileId = fresh('file');
  await chunk(0, fileId, true);
  await Promise.all([chunk(1, fileId), chunk(2, fileId)]);
  const { http } = await ann();
  const again = await upload(http, await bk(), {
    fileId,
    name: 'film.bin',
    bytes: (await film()).subarray(2 * CHUNK),
    headers: chunkHeaders(2 * CHUNK, SIZE, fileId),
  });
  expect(again.is(200).json()).toMatchObject({ $id: fileId, chunksUploaded: 3, chunksTotal: 3 });
  await sameBytes(fileId);
});

line('S12', 'a chunk needs a real id and a range that is one', async () => {
  const { http } = await ann();
  const bytes = Buffer.from('0123456789');
  const sent = async (headers: Record<string, string>) => upload(http, await bk(), { bytes, headers });
  await refused(
    { code: 400, type: 'storage_invalid_appwrite_id' },
    sent({ 'content-range': 'bytes 0-9/20', 'x-appwrite-id': 'unique()' }),
  );
  await refused(
    {
      code: 400,
      type: 'storage_invalid_content_range',
      message: 'The content range is invalid. Please check the value of the Content-Range header.',
    },
    sent({ 'content-range': 'bytes 10-5/20' }),
    sent({ 'content-range': 'bytes 0-21/20' }),
    sent({ 'content-range': 'nonsense' }),
  );
});

line('S14', 'an unfinished upload cannot be read, but deleted', async () => {
  const { files, bucketId } = await bk();
  const fileId = fresh('file');
  await chunk(0, fileId, true);
  const { http, web } = await ann();
  await refused(
    { code: 404, type: 'storage_file_not_found' },
    http.get(`${files}/${fileId}/view`),
    http.get(`${files}/${fileId}/download`),
  );
  const preview = (await http.get(`${files}/${fileId}/preview`)).is(200, 404);
  if (preview.status === 200) expect(preview.header('content-type')).toMatch(/^image\//);
  const listed = await web.storage.listFiles({ bucketId });
  expect(listed.files.find(({ $id }) => $id === fileId)).toMatchObject({ chunksTotal: 3, chunksUploaded: 1 });
  (await http.delete(`${files}/${fileId}`, {})).is(204);
  await refused({ code: 404, type: 'storage_file_not_found' }, web.storage.getFile({ bucketId, fileId }));
});
