import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@common-ink/http/free-port.ts';
import { openStore } from 'embedded-appwrite/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { DIST } from '../../scripts/build-stamp.ts';
import { picture } from '../e2e/pictures.ts';
import { RunningSite, type Writer } from '../e2e/site.ts';
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { createClient, type Reply } from './client.ts';
import { blobsOnDisk, inspect } from './inspect.ts';
import { run, SCRIPTS } from './tools.ts';
import { digestOf } from './writers.ts';

const MEBIBYTES = 96;
const MEBIBYTE = 1024 * 1024;
const CHUNK = 5 * MEBIBYTE;
const SENTENCE = 'There is no room left on the server. Nothing was stored; please try again later.';
const COLLECTIONS = '/databases/blog/collections';
const POSTS = `${COLLECTIONS}/articles/documents`;
/** Path of a collection without a full-text index, because indexing is most of the work of writing a large document. */
const NOTES = `${COLLECTIONS}/notes/documents`;
const FILES = '/storage/buckets/raw/files';
const disk = await openSmallDisk(MEBIBYTES);
if (!disk) console.warn('Full disks are not tested: this user may not mount a file system.');

let serial = 0;
const freshId = (kind: string): string => `${kind}-${serial++}`;

describe.skipIf(!disk)('a full disk', () => {
  const { directory, fill, clear, remove, free } = disk as SmallDisk;
  let site: RunningSite;
  let ada: Writer;
  let stored: string;
  let key: string;
  const titles = new Map<string, string>();
  const digests = new Map<string, string>();

  const statusOf = async (path: string) => (await fetch(site.url + path, { redirect: 'manual' })).status;
  const client = (more: Record<string, string> = {}) =>
    createClient(`${site.url}/v1`, { 'x-appwrite-project': 'common-ink', ...more });
  const asGuest = (method: string, path: string, body?: unknown, more?: Record<string, string>) =>
    client(more).json(method, path, body);
  const byKey = () => client({ 'x-appwrite-key': key });
  const withKey = (method: string, path: string, body?: unknown) => byKey().json(method, path, body);

  async function succeeds(status: number, method: string, path: string, body?: unknown): Promise<void> {
    const reply = await withKey(method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.body}`).toBe(status);
  }

  /** Long enough to fill a hundred database pages. */
  const TEXT = 'Ink dries. '.repeat(37_000);
  const postOf = (title: string) => ({ title, content: `<p>${title}</p>`, status: 'inactive', userId: ada.id });

  async function create(collection = NOTES, data: Record<string, unknown> = { text: TEXT }): Promise<Reply> {
    const id = freshId('document');
    const reply = await withKey('POST', collection, { documentId: id, data: { ...data, title: id } });
    if (reply.status === 201) titles.set(`${collection}/${id}`, id);
    return reply;
  }

  async function newPost(id = freshId('post')): Promise<string> {
    await succeeds(201, 'POST', POSTS, { documentId: id, data: postOf(id) });
    titles.set(`${POSTS}/${id}`, id);
    return id;
  }

  async function deletePost(id: string): Promise<void> {
    await succeeds(204, 'DELETE', `${POSTS}/${id}`);
    titles.delete(`${POSTS}/${id}`);
  }

  async function upload(bytes: Buffer, id = freshId('file'), chunk?: number): Promise<Reply> {
    const [start, end] =
      chunk === undefined ? [0, bytes.length] : [chunk * CHUNK, Math.min((chunk + 1) * CHUNK, bytes.length)];
    const headers = {
      ...(chunk !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
      ...(chunk && { 'x-appwrite-id': id }),
    };
    const reply = await byKey().upload(FILES, id, bytes.subarray(start, end), headers);
    if (reply.status === 201 && end === bytes.length) digests.set(id, digestOf(bytes));
    return reply;
  }

  const blobs = () => blobsOnDisk(join(directory, 'backend')).length;

  const NO_ROOM = { status: 507, code: 507, type: 'general_storage_full', message: SENTENCE };
  const expectNoRoom = ({ status, json }: Reply): void => expect({ status, ...json() }).toMatchObject(NO_ROOM);

  /** Repeats a write until it is refused for lack of space, because the first ones still fit the preallocated WAL. */
  async function expectFull(write: () => Promise<Reply> = create): Promise<void> {
    for (let attempt = 0; attempt < 400; attempt++) {
      const reply = await write();
      if (reply.status >= 300) return expectNoRoom(reply);
    }
    throw new Error('The disk never was full.');
  }

  /** Calls `act` with only `left` bytes free. Expects the site to serve pages then, and to accept writes afterwards. */
  async function whileFull(act: () => Promise<void>, left = 0): Promise<void> {
    fill(left);
    try {
      await act();
      expect(await statusOf(stored)).toBe(200);
      expect(await statusOf('/v1/health/version')).toBe(200);
    } finally {
      clear();
    }
    const write = async () => (await create(NOTES, {})).status;
    await expect.poll(write, { interval: 50 }).toBe(201);
  }

  beforeAll(async () => {
    // Reserves no free space for the server key, so that other callers can write until the disk is full.
    site = new RunningSite(await freePort(), directory, { build: DIST, environment: { DISK_RESERVE_MB: '0' } });
    await site.start();
    key = (site.admin().headers as Record<string, string>)['X-Appwrite-Key'] as string;
    ada = await site.writer();
    stored = `/post/${(await site.post(ada)).id}`;
    await succeeds(201, 'POST', '/storage/buckets', { bucketId: 'raw', name: 'raw', fileSecurity: true });
    await succeeds(201, 'POST', COLLECTIONS, { collectionId: 'notes', name: 'notes' });
    for (const key of ['title', 'text'])
      await succeeds(202, 'POST', `${COLLECTIONS}/notes/attributes/string`, { key, size: MEBIBYTE, required: false });
    expect(await statusOf(stored)).toBe(200);
    return async () => {
      await site.stop();
      remove();
    };
  });

  test('a document that is created or changed is refused, and stays what it was', async () => {
    const id = await newPost();
    await whileFull(async () => {
      await expectFull();
      // After the first refusal, the server refuses all creates and updates until the disk has space again.
      expectNoRoom(await create());
      expectNoRoom(await withKey('PATCH', `${POSTS}/${id}`, { data: postOf('other') }));
    });
  });

  test('documents are deleted, one and another', async () => {
    const ids = [await newPost(), await newPost(), await newPost(), await newPost()];
    await whileFull(async () => {
      for (const id of ids.slice(2)) await deletePost(id);
      await expectFull();
      for (const id of ids.slice(0, 2)) {
        fill();
        await deletePost(id);
      }
      for (const id of ids) await succeeds(404, 'GET', `${POSTS}/${id}`);
    });
  });

  test('a file is deleted, and its bytes are', async () => {
    const id = freshId('file');
    expect((await upload(randomBytes(2 * MEBIBYTE), id)).status).toBe(201);
    await whileFull(async () => {
      await expectFull();
      const before = free();
      await succeeds(204, 'DELETE', `${FILES}/${id}`);
      digests.delete(id);
      expect(free() - before).toBeGreaterThan(MEBIBYTE);
    });
  });

  test.each([
    ['without any room', 0],
    ['for half of which there is room', MEBIBYTE],
  ])('a file %s is refused and leaves nothing', (_, left) =>
    whileFull(async () => {
      const before = blobs();
      expectNoRoom(await upload(randomBytes(2 * MEBIBYTE)));
      if (left === 0) expectNoRoom(await upload(randomBytes(100_000)));
      expect(blobs()).toBe(before);
    }, left),
  );

  // Each chunk is written twice, on arrival and then at its position in the file. Either write may fill the disk.
  test.each([
    [0, 0],
    [0, CHUNK + MEBIBYTE],
    [1, CHUNK + MEBIBYTE],
    [2, 2 * MEBIBYTE],
  ])('an upload whose chunk %i found %i bytes goes on with it later', async (at, left) => {
    const bytes = randomBytes(2 * CHUNK + MEBIBYTE + 100);
    const id = freshId('file');
    for (let chunk = 0; chunk < at; chunk++) expect((await upload(bytes, id, chunk)).status).toBe(201);
    await whileFull(async () => expectNoRoom(await upload(bytes, id, at)), left);
    for (let chunk = at; chunk < 3; chunk++) expect((await upload(bytes, id, chunk)).status).toBe(201);
    const { body } = await withKey('GET', `${FILES}/${id}/download`);
    expect(digestOf(body)).toBe(digestOf(bytes));
    await succeeds(204, 'DELETE', `${FILES}/${id}`);
    digests.delete(id);
  });

  test('a page that is not stored yet is shown to each who asks', async () => {
    await site.post(ada, { id: 'rendered-later' });
    const pages = join(directory, 'pages', 'public', 'post', 'rendered-later');
    await succeeds(200, 'PATCH', `${POSTS}/rendered-later`, { data: { title: 'Another' } });
    await whileFull(async () => {
      rmSync(pages, { recursive: true, force: true });
      for (const path of ['/post/rendered-later', '/page/1', '/', '/feed.xml', '/archive', '/post/rendered-later'])
        expect([200, 301, 302]).toContain(await statusOf(path));
      await expectFull();
      for (const path of ['/', '/post/rendered-later']) expect(await statusOf(path)).toBe(200);
    });
  });

  test('a post that is deleted is gone for its readers, page and all', async () => {
    const { id } = await site.post(ada);
    expect(await statusOf(`/post/${id}`)).toBe(200);
    await whileFull(async () => {
      await expectFull();
      await succeeds(204, 'DELETE', `${POSTS}/${id}`);
      await expect.poll(() => statusOf(`/post/${id}`)).toBe(404);
    });
  });

  test('a log that is due to be moved into the database waits', async () => {
    for (let i = 0; i < 11; i++) await create();
    await whileFull(async () => {
      await expectFull();
      // Lasts longer than 250 ms: without a commit for that long, the server would move the WAL into the database.
      for (let i = 0; i < 8; i++) {
        await wait(50);
        expectNoRoom(await create());
      }
    });
  });

  test('whoever has an account signs in and out; whoever has none is told', () =>
    whileFull(async () => {
      await expectFull();
      const account = { userId: freshId('user'), email: `${freshId('new')}@example.com`, password: 'Correct-horse-1' };
      expectNoRoom(await asGuest('POST', '/account', account));
      for (let i = 0; i < 3; i++) {
        fill();
        const signIn = await asGuest('POST', '/account/sessions/email', { email: ada.email, password: ada.password });
        expect(signIn.status).toBe(201);
        const cookies = signIn.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
        const asAda = async (method: string, path: string) =>
          (await asGuest(method, path, undefined, { cookie: cookies.join('; ') })).status;
        expect(await asAda('GET', '/account')).toBe(200);
        expect(await asAda('DELETE', '/account/sessions/current')).toBe(204);
        expect(await asAda('GET', '/account')).toBe(401);
      }
    }));

  test('a preview is made for each who asks', async () => {
    const file = await site.upload(ada, await picture(), 'picture.png');
    const preview = `/storage/buckets/media/files/${file}/preview?width=640`;
    await whileFull(async () => {
      for (let i = 0; i < 2; i++) expect((await asGuest('GET', preview)).status).toBe(200);
      await expectFull();
      expect((await asGuest('GET', `/storage/buckets/media/files/${file}/preview?width=480`)).status).toBe(200);
    });
  });

  const HOOK = { name: 'hook', url: 'http://127.0.0.1:9/' };
  const hookFor = (event: string) => ({ ...HOOK, webhookId: freshId('hook'), events: [event] });

  test('settings are refused: a webhook, a name, a collection', () =>
    whileFull(async () => {
      await expectFull();
      expectNoRoom(await withKey('POST', '/webhooks', hookFor('users.*.create')));
      const cookie = `a_session_common-ink=${ada.session}`;
      expectNoRoom(await asGuest('PATCH', '/account/name', { name: 'Other' }, { cookie }));
      expectNoRoom(await withKey('POST', COLLECTIONS, { collectionId: freshId('c'), name: 'c' }));
    }));

  test('the outcome of a webhook that cannot be reached is noted another time', async () => {
    const hook = hookFor('databases.*.collections.*.documents.*.delete');
    await succeeds(201, 'POST', '/webhooks', hook);
    const id = await newPost();
    await whileFull(async () => {
      await expectFull();
      await deletePost(id);
    });
    await succeeds(204, 'DELETE', `/webhooks/${hook.webhookId}`);
  });

  /** Returns the size of the database in bytes without its free pages, which a copy omits. */
  function bytesOfCopy(): number {
    using database = new DatabaseSync(join(directory, 'backend', 'backend.sqlite'), { readOnly: true });
    const of = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    return (of('page_count') - of('freelist_count')) * of('page_size');
  }

  /** Runs one of the project's programs on the data folder, with no settings except `more`. */
  const runHere = (program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, DATA_DIR: directory, ...more } });

  test('a backup without room says so and leaves nothing', async () => {
    const target = join(directory, 'backup.zip');
    // Random bytes do not compress, unlike the text that the other tests write.
    expect((await upload(randomBytes(MEBIBYTE))).status).toBe(201);
    await whileFull(
      async () => {
        const made = await runHere(join(SCRIPTS, 'backup.ts'), [target]);
        expect(made).toEqual({ code: 1, said: expect.stringMatching(/^The disk is full: .+\n$/) });
        expect(readdirSync(directory).filter((name) => /backup/.test(name))).toEqual([]);
      },
      bytesOfCopy() + MEBIBYTE / 4,
    );
  });

  test('a site that starts on it shows its pages, lets delete and refuses the rest', async () => {
    const id = await newPost();
    await site.stop();
    fill();
    await site.start();
    await expectFull();
    await deletePost(id);
    expect(await statusOf(stored)).toBe(200);
    // The reserve file is gone, so the next start finds the disk full.
    await site.stop();
    rmSync(join(directory, 'backend', 'reserve'));
    fill();
    const start = { NODE_ENV: 'production', PORT: `${await freePort()}` };
    const { code, said } = await runHere(join(DIST, 'server/entry.mjs'), [], start);
    expect(code).toBe(1);
    expect(said).toMatch(/The disk is full: .+ Free some space, then start again\./);
    expect(said).not.toMatch(/^ {4}at /m);
    clear();
    await site.start();
    await whileFull(expectFull);
  });

  test('an upgrade that finds no room for the copy says so and changes nothing', async () => {
    const folder = join(directory, 'upgraded');
    mkdirSync(folder);
    const first = { version: 1, sql: 'CREATE TABLE notes (text TEXT) STRICT' };
    const second = { version: 2, sql: 'CREATE TABLE more (text TEXT) STRICT' };
    const old = openStore(folder, [first]);
    await old.write(() => old.prepare('INSERT INTO notes VALUES (?)').run('kept'.repeat(MEBIBYTE)));
    await old.close();
    fill(MEBIBYTE);
    expect(() => openStore(folder, [first, second])).toThrow(
      /^The disk is full: there is not enough space in .+ unchanged\.$/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('backend.v'))).toEqual([]);
    clear();
    const upgraded = openStore(folder, [first, second]);
    expect(upgraded.prepare('SELECT length(text) AS length FROM notes').get()).toEqual({ length: 4 * MEBIBYTE });
    await upgraded.close();
    rmSync(folder, { recursive: true });
  });

  test('nothing that was acknowledged is lost, and the database is whole', async () => {
    // At least 30 documents fit before the disk was full. How many more depends on the WAL's last checkpoint.
    expect(titles.size).toBeGreaterThanOrEqual(30);
    for (const [path, title] of titles) {
      const { status, json } = await withKey('GET', path);
      expect({ path, status, title: json().title }).toEqual({ path, status: 200, title });
    }
    for (const [id, digest] of digests)
      expect(digestOf((await withKey('GET', `${FILES}/${id}/download`)).body)).toBe(digest);
    await site.stop();
    expect(inspect(join(directory, 'backend'))).toEqual([]);
  });
});
