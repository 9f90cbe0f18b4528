import { Databases, ID, Query, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guestClient, serverClient } from '#backend/target.ts';
import { postPermissions } from '#blog/permissions.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { ask, PASSWORD, peopleApi, person, type Someone } from '../../../tests/support/people.ts';

const ARTICLES = { databaseId: 'blog', collectionId: 'articles' };

let site: EmbeddedSite;
const byKey = () => serverClient(site.target);
const users = () => new Users(byKey());

beforeAll(async () => {
  site = await openEmbeddedSite();
});
afterAll(() => site.close());

const writer = () => person(site);

async function write({ id, session }: Someone): Promise<void> {
  const tab = guestClient(site.target).setSession(session);
  const permissions = postPermissions('active', id);
  const file = InputFile.fromBuffer(Buffer.from('GIF89a'), 'a.gif');
  const { $id } = await new Storage(tab).createFile({ bucketId: 'media', fileId: ID.unique(), file, permissions });
  const data = { title: 'A', content: '<p>a</p>', status: 'active', featuredImage: $id, userId: id };
  await new Databases(tab).createDocument({ ...ARTICLES, documentId: ID.unique(), data, permissions });
}

async function writeOn(tab: Someone): Promise<void> {
  try {
    for (;;) await write(tab);
  } catch {
    // The account is blocked or deleted.
  }
}

const postsOf = async ({ id }: Someone) =>
  (await new Databases(byKey()).listDocuments({ ...ARTICLES, queries: [Query.equal('userId', id)] })).documents;

const filesOf = async ({ id }: Someone) =>
  (await new Storage(byKey()).listFiles({ bucketId: 'media', queries: [Query.limit(1000)] })).files.filter(
    ({ $permissions }) => $permissions.includes(`update("user:${id}")`),
  );

const deletion = async ({ session }: Someone, published?: () => Promise<unknown>): Promise<number> => {
  const body = { password: PASSWORD, posts: 'delete' };
  return Number.parseInt(
    (await ask(peopleApi(site, published && { published }), '/api/account/delete', session, body)).status,
    10,
  );
};

test('an account that is deleted while its other tabs write leaves no post and no picture, six times of six', async () => {
  for (let round = 1; round <= 6; round++) {
    const leaving = await writer();
    await write(leaving);
    const tabs = [1, 2, 3].map(() => writeOn(leaving));
    const answer = await deletion(leaving);
    await Promise.all(tabs);
    expect([answer, await postsOf(leaving), await filesOf(leaving)]).toEqual([200, [], []]);
  }
});

test('a post that comes while the others are taken off the pages goes, too', async () => {
  const leaving = await writer();
  await write(leaving);
  let isFirst = true;
  const answer = await deletion(leaving, async () => {
    if (!isFirst) return;
    isFirst = false;
    // Writes by server key what the backend had accepted before the block.
    const data = { title: 'Late', content: '<p>a</p>', status: 'active', featuredImage: '', userId: leaving.id };
    const permissions = postPermissions('active', leaving.id);
    await new Databases(byKey()).createDocument({ ...ARTICLES, documentId: ID.unique(), data, permissions });
  });
  expect([answer, isFirst, await postsOf(leaving)]).toEqual([200, false, []]);
});

test('an account whose deletion breaks off is not left blocked', async () => {
  const staying = await writer();
  await write(staying);
  const broken = await deletion(staying, () => Promise.reject(new Error('no disk')));
  expect([broken, (await users().get({ userId: staying.id })).status]).toEqual([503, true]);
  expect(await deletion(staying)).toBe(200);
  await expect(users().get({ userId: staying.id })).rejects.toMatchObject({ code: 404 });
});
