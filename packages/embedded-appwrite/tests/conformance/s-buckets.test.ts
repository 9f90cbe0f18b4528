/** S: buckets and the permissions of their files (contract 2.7). */
import { type Models, Query } from 'node-appwrite';
import { later, once } from './cleanup.ts';
import { DATE, error, FOREIGN_ROLE, invalid, MISSING_SCOPE, NO_FILE, refused, UNAUTHORIZED } from './expect.ts';
import { bucket, securedBucket, stored } from './files.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import { cookieName, server } from './people.ts';
import { owner } from './schema.ts';

const bk = once(securedBucket);

test('S01 keys make, list, read, change and delete buckets; users cannot', async ({ ann, key: { http, node } }) => {
  const bucketId = fresh('bucket');
  const path = `/storage/buckets/${bucketId}`;
  later(() => http.delete(path));
  const body = { bucketId, name: 'Pictures', permissions: ['write("users")'] };
  const made = await http.post('/storage/buckets', body).json<Models.Bucket>(201);
  expect(made).toMatchObject({
    ...{ $id: bucketId, $createdAt: DATE, name: 'Pictures', fileSecurity: false, enabled: true },
    ...{ maximumFileSize: 30_000_000, allowedFileExtensions: [], compression: 'none' },
    ...{ encryption: true, antivirus: true, transformations: true },
  });
  expect([...made.$permissions].sort()).toEqual(['create("users")', 'delete("users")', 'update("users")']);
  const named = { queries: [Query.equal('name', 'Pictures')] };
  expect((await node.storage.listBuckets(named)).buckets.map(({ $id }) => $id)).toContain(bucketId);
  expect((await http.get('/storage/buckets').json<Models.BucketList>()).total).toBeGreaterThanOrEqual(1);
  const changes = { name: 'Photos', allowedFileExtensions: ['png'], maximumFileSize: 1000 };
  const changed = await http.put(path, changes).json<Models.Bucket>();
  expect(changed).toMatchObject(changes);
  expect([...changed.$permissions].sort()).toEqual([...made.$permissions].sort());
  const kept = await node.storage.updateBucket({ bucketId, name: 'Photos' });
  // An update resets omitted settings to their defaults, but keeps the permissions.
  expect(kept).toMatchObject({ maximumFileSize: 30_000_000, allowedFileExtensions: [] });
  await refused(error(409, 'storage_bucket_already_exists'), http.post('/storage/buckets', body));
  const mine = ann.http.post('/storage/buckets', { bucketId: fresh('bucket'), name: 'Mine' });
  await refused(MISSING_SCOPE, mine, ann.http.get('/storage/buckets'), ann.http.delete(path, {}));
  await refused(MISSING_SCOPE, ann.node.storage.getBucket({ bucketId }));
  await http.delete(path).is(204);
  await refused(error(404, 'storage_bucket_not_found'), http.get(path));
});

test('S15 a private file is 404 by file security, 401 in a closed bucket', async ({ ann, bob, guest, key }) => {
  const paths = ['', '/view', '/download', '/preview'];
  const { files } = await bk();
  const { $id } = await stored(ann.http, await bk());
  const missing = { ...NO_FILE, message: 'The requested file could not be found.' };
  const asked = [bob, guest].flatMap(({ http }) => paths.map((path) => http.get(`${files}/${$id}${path}`)));
  await refused(missing, ...asked);
  const closed = await bucket();
  const file = `${closed.files}/${(await stored(key.http, closed, { permissions: owner(bob.id) })).$id}`;
  const reads = [closed.files, ...paths.map((path) => file + path)].map((path) => bob.http.get(path));
  await refused(UNAUTHORIZED, ...reads, bob.http.put(file, { name: 'x.txt' }), bob.http.delete(file, {}));
});

test('S24 a file can be renamed; roles that its owner does not hold cannot be granted', async ({ ann, bob, guest }) => {
  const { files, bucketId } = await bk();
  const { $id, $permissions } = await stored(ann.http, await bk());
  const name = 'x'.repeat(128);
  const raw = await ann.http.put(`${files}/${$id}`, { name }).json<Models.File>();
  expect(raw).toMatchObject({ $id, name });
  await refused(invalid('name'), ann.http.put(`${files}/${$id}`, { name: `${name}x` }));
  expect([...raw.$permissions].sort()).toEqual([...$permissions].sort());
  expect((await ann.web.storage.updateFile({ bucketId, fileId: $id, name: 'log.txt' })).name).toBe('log.txt');
  await refused(FOREIGN_ROLE, ann.http.put(`${files}/${$id}`, { permissions: [`read("user:${bob.id}")`] }));
  const permissions = ['read("any")', `delete("user:${ann.id}")`];
  const opened = await ann.web.storage.updateFile({ bucketId, fileId: $id, permissions });
  expect([...opened.$permissions].sort()).toEqual(permissions.sort());
  await guest.http.get(`${files}/${$id}/view`).is(200);
});

test('S25 only who may delete a file can; afterwards it is gone', async ({ ann: { http, web }, bob }) => {
  const { files, bucketId } = await bk();
  const [first, second] = [await stored(http, await bk()), await stored(http, await bk())];
  await refused(UNAUTHORIZED, bob.http.delete(`${files}/${first.$id}`, {}));
  await http.delete(`${files}/${first.$id}`, {}).is(204);
  await web.storage.deleteFile({ bucketId, fileId: second.$id });
  const gone = [http.get(`${files}/${first.$id}`), http.get(`${files}/${second.$id}/view`)];
  await refused(NO_FILE, ...gone, web.storage.getFile({ bucketId, fileId: second.$id }));
});

test('S26 an image element works by the project in the address and the legacy cookie alone', async ({ ann, guest }) => {
  const { files, bucketId } = await bk();
  const { $id } = await stored(ann.http, await bk());
  const { projectId, endpoint } = server();
  const cookie = `${cookieName()}_legacy=${encodeURIComponent(ann.session)}`;
  const bare = guest.http.with({ 'x-appwrite-project': '', cookie });
  const answer = await bare.get(`${files}/${$id}/view`, { query: { project: projectId } }).is(200);
  expect(answer.text).toBe('Just a note.\n');
  const url = new URL(ann.web.storage.getFileView({ bucketId, fileId: $id }));
  expect(url.href).toContain(`${endpoint}${files}/${$id}/view`);
  expect((await bare.get(`${files}/${$id}/view${url.search}`).is(200)).bytes).toEqual(answer.bytes);
});

test('S27 a file token opens one private file and nothing else', async ({ ann, guest, key }) => {
  const { files, bucketId } = await bk();
  const [mine, other] = [await stored(ann.http, await bk()), await stored(ann.http, await bk())];
  const raw = await key.http.post(`/tokens/buckets/${bucketId}/files/${mine.$id}`, {}).json<Models.ResourceToken>(201);
  const resourceId = `${bucketId}:${mine.$id}`;
  expect(raw).toMatchObject({ resourceId, resourceType: 'files', secret: expect.any(String) });
  const sdk = await key.node.tokens.createFileToken({ bucketId, fileId: mine.$id });
  const read = (id: string, token?: string, path = 'view', by = guest.http) =>
    by.get(`${files}/${id}/${path}`, { query: token ? { token } : {} });
  for (const { secret } of [raw, sdk]) {
    for (const path of ['view', 'download', 'preview']) await read(mine.$id, secret, path).is(200);
    await refused([error(401), error(404)], read(other.$id, secret));
  }
  await refused(NO_FILE, read(mine.$id, 'wrong'), read(mine.$id));
  await read(mine.$id, 'wrong', 'view', ann.http).is(200);
});

test('S28 a list holds the files that the caller may read', async ({ ann, bob, key }) => {
  const where = await securedBucket();
  const { bucketId } = where;
  const open = await stored(ann.http, where, { permissions: ['read("any")'] });
  const anns = await stored(ann.http, where);
  const bobs = await stored(bob.http, where, { name: 'diary.txt' });
  const seen = ({ total, files }: Models.FileList) => [total, ...files.map(({ $id }) => $id)];
  const raw = await bob.http.get(where.files).json<Models.FileList>();
  const sdk = await bob.web.storage.listFiles({ bucketId });
  for (const list of [raw, sdk]) expect(seen(list)).toEqual([2, open.$id, bobs.$id]);
  expect(seen(await ann.web.storage.listFiles({ bucketId }))).toEqual([2, open.$id, anns.$id]);
  for (const named of [{ queries: [Query.equal('name', 'diary.txt')] }, { search: 'diary' }])
    expect(seen(await key.node.storage.listFiles({ bucketId, ...named }))).toEqual([1, bobs.$id]);
  const queries = [Query.orderDesc('name'), Query.cursorAfter(anns.$id), Query.limit(1)];
  expect(seen(await key.node.storage.listFiles({ bucketId, queries }))).toEqual([3, bobs.$id]);
  const missing = "File 'nope' for the 'cursor' value not found.";
  const beyond = key.node.storage.listFiles({ bucketId, queries: [Query.cursorAfter('nope')] });
  await refused(error(400, 'general_cursor_not_found', missing), beyond);
});
