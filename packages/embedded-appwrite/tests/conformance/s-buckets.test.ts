/** S: buckets and the permissions of their files (contract 2.7). */
import { type Models, Query } from 'node-appwrite';
import { expect } from 'vitest';
import { later, once } from './cleanup.ts';
import { DATE, MISSING_SCOPE, refused, UNAUTHORIZED } from './expect.ts';
import { bucket, securedBucket, stored } from './files.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { owner } from './schema.ts';

const bk = once(() => securedBucket(server()));
const ann = once(() => person(server()));
const bob = once(() => person(server()));

line('S01', 'keys make, list, read, change and delete buckets; users cannot', async () => {
  const { http, node } = admin(server());
  const bucketId = fresh('bucket');
  later(() => http.delete(`/storage/buckets/${bucketId}`));
  const made = (
    await http.post('/storage/buckets', { bucketId, name: 'Pictures', permissions: ['write("users")'] })
  ).is(201);
  const model = made.json<Models.Bucket>();
  expect(model).toMatchObject({
    $id: bucketId,
    $createdAt: expect.stringMatching(DATE),
    name: 'Pictures',
    fileSecurity: false,
    enabled: true,
    maximumFileSize: 30_000_000,
    allowedFileExtensions: [],
    compression: 'none',
    encryption: true,
    antivirus: true,
    transformations: true,
  });
  expect([...model.$permissions].sort()).toEqual(['create("users")', 'delete("users")', 'update("users")']);
  const named = { queries: [Query.equal('name', 'Pictures')] };
  expect((await node.storage.listBuckets(named)).buckets.map(({ $id }) => $id)).toContain(bucketId);
  expect((await http.get('/storage/buckets')).is(200).json<Models.BucketList>().total).toBeGreaterThanOrEqual(1);
  const changes = { name: 'Photos', allowedFileExtensions: ['png'], maximumFileSize: 1000 };
  const changed = (await http.put(`/storage/buckets/${bucketId}`, changes)).is(200).json<Models.Bucket>();
  expect(changed).toMatchObject(changes);
  expect([...changed.$permissions].sort()).toEqual([...model.$permissions].sort());
  const kept = await node.storage.updateBucket({ bucketId, name: 'Photos' });
  // An update resets omitted settings to their defaults, but keeps the permissions.
  expect(kept).toMatchObject({ maximumFileSize: 30_000_000, allowedFileExtensions: [] });
  await refused(
    { code: 409, type: 'storage_bucket_already_exists' },
    http.post('/storage/buckets', { bucketId, name: 'Again' }),
    node.storage.createBucket({ bucketId, name: 'Again' }),
  );
  const { http: own, node: ownSdk } = await ann();
  await refused(
    MISSING_SCOPE,
    own.post('/storage/buckets', { bucketId: fresh('bucket'), name: 'Mine' }),
    own.get('/storage/buckets'),
    own.delete(`/storage/buckets/${bucketId}`, {}),
    ownSdk.storage.getBucket({ bucketId }),
  );
  (await http.delete(`/storage/buckets/${bucketId}`)).is(204);
  await refused(
    { code: 404, type: 'storage_bucket_not_found' },
    http.get(`/storage/buckets/${bucketId}`),
    node.storage.getBucket({ bucketId }),
  );
});

line('S15', 'a private file is 404 to others with file security, and 401 in a bucket without any right', async () => {
  const { files, bucketId } = await bk();
  const { $id } = await stored((await ann()).http, { files, bucketId });
  const other = await bob();
  const missing = { code: 404, type: 'storage_file_not_found', message: 'The requested file could not be found.' };
  const paths = ['', '/view', '/download', '/preview'];
  await refused(
    missing,
    ...paths.map((path) => other.http.get(`${files}/${$id}${path}`)),
    ...paths.map((path) => guest(server()).http.get(`${files}/${$id}${path}`)),
    other.web.storage.getFile({ bucketId, fileId: $id }),
  );
  const closed = await bucket(server());
  const file = await stored(admin(server()).http, closed, { permissions: owner(other.id) });
  await refused(
    { code: 401, type: 'user_unauthorized' },
    ...paths.map((path) => other.http.get(`${closed.files}/${file.$id}${path}`)),
    other.http.get(closed.files),
    other.http.put(`${closed.files}/${file.$id}`, { name: 'x.txt' }),
    other.http.delete(`${closed.files}/${file.$id}`, {}),
    other.web.storage.getFile({ bucketId: closed.bucketId, fileId: file.$id }),
  );
});

line('S24', 'a file can be renamed; roles that its owner does not hold cannot be granted', async () => {
  const { files, bucketId } = await bk();
  const { http, web } = await ann();
  const { $id, $permissions } = await stored(http, { files, bucketId });
  const raw = (await http.put(`${files}/${$id}`, { name: 'diary.txt' })).is(200).json<Models.File>();
  expect(raw).toMatchObject({ $id, name: 'diary.txt' });
  expect([...raw.$permissions].sort()).toEqual([...$permissions].sort());
  expect((await web.storage.updateFile({ bucketId, fileId: $id, name: 'log.txt' })).name).toBe('log.txt');
  const foreign = [`read("user:${(await bob()).id}")`];
  await refused(
    { code: 401, type: 'user_unauthorized', message: /^Permissions must be one of: \(/ },
    http.put(`${files}/${$id}`, { permissions: foreign }),
    web.storage.updateFile({ bucketId, fileId: $id, permissions: foreign }),
  );
  const open = ['read("any")', `delete("user:${(await ann()).id}")`];
  const opened = await web.storage.updateFile({ bucketId, fileId: $id, permissions: open });
  expect([...opened.$permissions].sort()).toEqual([...open].sort());
  (await guest(server()).http.get(`${files}/${$id}/view`)).is(200);
});

line('S25', 'only who may delete a file can; afterwards it is gone', async () => {
  const { files, bucketId } = await bk();
  const { http, web } = await ann();
  const [first, second] = [await stored(http, { files, bucketId }), await stored(http, { files, bucketId })];
  const other = await bob();
  await refused(
    UNAUTHORIZED,
    other.http.delete(`${files}/${first.$id}`, {}),
    other.web.storage.deleteFile({ bucketId, fileId: first.$id }),
  );
  (await http.delete(`${files}/${first.$id}`, {})).is(204);
  await web.storage.deleteFile({ bucketId, fileId: second.$id });
  await refused(
    { code: 404, type: 'storage_file_not_found' },
    http.get(`${files}/${first.$id}`),
    http.get(`${files}/${second.$id}/view`),
    web.storage.getFile({ bucketId, fileId: second.$id }),
  );
});

line('S26', 'an image element works by the project in the address and the legacy cookie alone', async () => {
  const { files, bucketId } = await bk();
  const { http, session } = await ann();
  const { $id } = await stored(http, { files, bucketId });
  const { projectId, endpoint } = server();
  const cookie = `a_session_${projectId}_legacy`.toLowerCase();
  const bare = guest(server()).http.with({ 'x-appwrite-project': '' });
  const answer = await bare.get(`${files}/${$id}/view`, {
    query: { project: projectId },
    headers: { cookie: `${cookie}=${encodeURIComponent(session)}` },
  });
  expect(answer.is(200).text).toBe('Just a note.\n');
  const url = new URL((await ann()).web.storage.getFileView({ bucketId, fileId: $id }));
  expect(url.href).toContain(`${endpoint}${files}/${$id}/view`);
  const bySdk = await bare.get(`${files}/${$id}/view${url.search}`, {
    headers: { cookie: `${cookie}=${encodeURIComponent(session)}` },
  });
  expect(bySdk.is(200).bytes).toEqual(answer.bytes);
});

line('S27', 'a file token opens one private file and nothing else', async () => {
  const { files, bucketId } = await bk();
  const { http } = await ann();
  const [mine, other] = [await stored(http, { files, bucketId }), await stored(http, { files, bucketId })];
  const key = admin(server());
  const raw = (await key.http.post(`/tokens/buckets/${bucketId}/files/${mine.$id}`, {}))
    .is(201)
    .json<Models.ResourceToken>();
  expect(raw).toMatchObject({
    resourceId: `${bucketId}:${mine.$id}`,
    resourceType: 'files',
    secret: expect.any(String),
  });
  const sdk = await key.node.tokens.createFileToken({ bucketId, fileId: mine.$id });
  const reader = guest(server()).http;
  for (const { secret } of [raw, sdk]) {
    const query = { token: secret };
    for (const path of ['view', 'download', 'preview']) {
      (await reader.get(`${files}/${mine.$id}/${path}`, { query })).is(200);
    }
    await refused([{ code: 401 }, { code: 404 }], reader.get(`${files}/${other.$id}/view`, { query }));
  }
  await refused(
    { code: 404, type: 'storage_file_not_found' },
    reader.get(`${files}/${mine.$id}/view`, { query: { token: 'wrong' } }),
    reader.get(`${files}/${mine.$id}/view`),
  );
  (await http.get(`${files}/${mine.$id}/view`, { query: { token: 'wrong' } })).is(200);
});

line('S28', 'a list holds the files that the caller may read', async () => {
  const where = await securedBucket(server());
  const [a, b] = [await ann(), await bob()];
  const open = await stored(a.http, where, { permissions: ['read("any")'] });
  const anns = await stored(a.http, where);
  const bobs = await stored(b.http, where, { name: 'diary.txt' });
  const ids = ({ files }: { files: { $id: string }[] }) => files.map(({ $id }) => $id);
  const raw = (await b.http.get(where.files)).is(200).json<Models.FileList>();
  const sdk = await b.web.storage.listFiles({ bucketId: where.bucketId });
  for (const list of [raw, sdk]) {
    expect(list.total).toBe(2);
    expect(ids(list)).toEqual([open.$id, bobs.$id]);
  }
  expect(ids(await a.web.storage.listFiles({ bucketId: where.bucketId }))).toEqual([open.$id, anns.$id]);
  const named = { bucketId: where.bucketId, queries: [Query.equal('name', 'diary.txt')] };
  expect(ids(await admin(server()).node.storage.listFiles(named))).toEqual([bobs.$id]);
});
