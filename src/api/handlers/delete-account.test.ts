import { ID, Query } from 'node-appwrite';
import { expect, test } from 'vitest';
import { guestClient } from '#backend/target.ts';
import { postPermissions } from '#blog/permissions.ts';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import { ask, PASSWORD, peopleApi, person, type Someone } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';

const site = await sharedSite();

async function write({ id: userId, session }: Someone): Promise<void> {
  const content = contentOf(site, guestClient(site.target).setSession(session));
  const featuredImage = ID.unique();
  await content.upload(featuredImage, 'active', postPermissions('active', userId));
  await content.post(ID.unique(), { status: 'active', featuredImage, userId });
}

async function writeOn(tab: Someone): Promise<void> {
  try {
    for (;;) await write(tab);
  } catch {
    // Writing fails once the account is blocked or deleted.
  }
}

const postsOf = async ({ id }: Someone) =>
  (await contentOf(site).databases.listDocuments({ ...ARTICLES, queries: [Query.equal('userId', id)] })).documents;

const filesOf = async ({ id }: Someone) =>
  (await contentOf(site).storage.listFiles({ bucketId: 'media', queries: [Query.limit(1000)] })).files.filter(
    ({ $permissions }) => $permissions.includes(`update("user:${id}")`),
  );

const deletion = async ({ session }: Someone, published?: () => Promise<unknown>): Promise<number> => {
  const api = peopleApi(site, published && { published });
  const { status } = await ask(api, '/api/account/delete', session, { password: PASSWORD, posts: 'delete' });
  return Number.parseInt(status, 10);
};

test('an account that is deleted while its other tabs write leaves no post and no picture, six times of six', async () => {
  for (let round = 1; round <= 6; round++) {
    const leaving = await person(site);
    await write(leaving);
    const tabs = [1, 2, 3].map(() => writeOn(leaving));
    const answer = await deletion(leaving);
    await Promise.all(tabs);
    expect([answer, await postsOf(leaving), await filesOf(leaving)]).toEqual([200, [], []]);
  }
});

test('a post that comes while the others are taken off the pages goes, too', async () => {
  const leaving = await person(site);
  await write(leaving);
  let isFirst = true;
  const answer = await deletion(leaving, async () => {
    if (!isFirst) return;
    isFirst = false;
    // Uses the server key to simulate a post that the backend had accepted before the account was blocked.
    await contentOf(site).post(ID.unique(), { status: 'active', userId: leaving.id });
  });
  expect([answer, isFirst, await postsOf(leaving)]).toEqual([200, false, []]);
});

test('an account whose deletion breaks off is not left blocked', async () => {
  const staying = await person(site);
  await write(staying);
  const broken = await deletion(staying, () => Promise.reject(new Error('no disk')));
  expect([broken, (await contentOf(site).users.get({ userId: staying.id })).status]).toEqual([503, true]);
  expect(await deletion(staying)).toBe(200);
  await expect(contentOf(site).users.get({ userId: staying.id })).rejects.toMatchObject({ code: 404 });
});
