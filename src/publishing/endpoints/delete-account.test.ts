/** An account that deletes itself while its other tab goes on writing. */

import { Databases, ID, Query, Storage, Users } from 'node-appwrite';
import { InputFile } from 'node-appwrite/file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPeople } from '#backend/people/people.ts';
import { guestClient, serverClient } from '#backend/people/target.ts';
import { verifySession } from '#backend/verify-session.ts';
import { postPermissions } from '#blog/permissions.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { deleteAccountEndpoint } from './delete-account.ts';
import { createEndpointLimits } from './guards/limits.ts';

const SITE = 'https://blog.example';
const PASSWORD = 'Correct-horse-1';
const ARTICLES = { databaseId: 'blog', collectionId: 'articles' };

let site: EmbeddedSite;
const byKey = () => serverClient(site.target);
const users = () => new Users(byKey());

beforeAll(async () => {
  site = await openEmbeddedSite();
});
afterAll(() => site.close());

async function writer() {
  const email = `${ID.unique()}@example.com`;
  const { $id: id } = await users().create({ userId: ID.unique(), email, password: PASSWORD });
  return { id, session: (await users().createSession({ userId: id })).secret };
}

type Writer = Awaited<ReturnType<typeof writer>>;

async function write({ id, session }: Writer): Promise<void> {
  const tab = guestClient(site.target).setSession(session);
  const permissions = postPermissions('active', id);
  const file = InputFile.fromBuffer(Buffer.from('GIF89a'), 'a.gif');
  const { $id } = await new Storage(tab).createFile({ bucketId: 'media', fileId: ID.unique(), file, permissions });
  const data = { title: 'A', content: '<p>a</p>', status: 'active', featuredImage: $id, userId: id };
  await new Databases(tab).createDocument({ ...ARTICLES, documentId: ID.unique(), data, permissions });
}

/** Writes one post after another until the backend refuses. */
async function writeOn(tab: Writer): Promise<void> {
  try {
    for (;;) await write(tab);
  } catch {
    // The account is blocked or gone.
  }
}

const postsOf = async ({ id }: Writer) =>
  (await new Databases(byKey()).listDocuments({ ...ARTICLES, queries: [Query.equal('userId', id)] })).documents;

const filesOf = async ({ id }: Writer) =>
  (await new Storage(byKey()).listFiles({ bucketId: 'media', queries: [Query.limit(1000)] })).files.filter(
    ({ $permissions }) => $permissions.includes(`update("user:${id}")`),
  );

function deletion({ session }: Writer, published: () => Promise<unknown> = async () => {}): Promise<Response> {
  const publishing: PublishingLocals = {
    limits: createEndpointLimits(),
    revalidate: async () => ({ revalidated: [], removed: [], failed: [], outdated: 0, milliseconds: 0 }),
    explain: () => undefined,
    verifySession: (headers) => verifySession(site.target, headers),
    people: createPeople(site.target, { siteUrl: SITE, writers: undefined, published }),
    siteUrl: SITE,
    ...ARTICLES,
  };
  const headers = { 'content-type': 'application/json', cookie: `a_session_common-ink=${session}` };
  const body = JSON.stringify({ password: PASSWORD, posts: 'delete' });
  return deleteAccountEndpoint(new Request(SITE, { method: 'POST', headers, body }), '192.0.2.1', publishing);
}

test('an account that is deleted while its other tabs write leaves no post and no picture, six times of six', async () => {
  for (let round = 1; round <= 6; round++) {
    const leaving = await writer();
    await write(leaving);
    const tabs = [1, 2, 3].map(() => writeOn(leaving));
    const answer = await deletion(leaving);
    await Promise.all(tabs);
    expect([answer.status, await postsOf(leaving), await filesOf(leaving)]).toEqual([200, [], []]);
  }
});

test('a post that comes while the others are taken off the pages goes, too', async () => {
  const leaving = await writer();
  await write(leaving);
  let isFirst = true;
  const answer = await deletion(leaving, async () => {
    if (!isFirst) return;
    isFirst = false;
    // The server key writes what the backend had let in before the block.
    const data = { title: 'Late', content: '<p>a</p>', status: 'active', featuredImage: '', userId: leaving.id };
    const permissions = postPermissions('active', leaving.id);
    await new Databases(byKey()).createDocument({ ...ARTICLES, documentId: ID.unique(), data, permissions });
  });
  expect([answer.status, isFirst, await postsOf(leaving)]).toEqual([200, false, []]);
});

test('an account whose deletion breaks off is not left blocked', async () => {
  const staying = await writer();
  await write(staying);
  const broken = await deletion(staying, () => Promise.reject(new Error('no disk')));
  expect([broken.status, (await users().get({ userId: staying.id })).status]).toEqual([503, true]);
  expect((await deletion(staying)).status).toBe(200);
  await expect(users().get({ userId: staying.id })).rejects.toMatchObject({ code: 404 });
});
