import { Databases, Teams } from 'node-appwrite';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { PublishingLocals } from '#api/locals.ts';
import { draftPicture, openDraft } from '#api/open-draft.ts';
import { type DraftLinks, openDraftLinks } from '#backend/draft-links/draft-links.ts';
import { createPeople } from '#backend/people/people.ts';
import { guestClient, serverClient } from '#backend/target.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import { apiSite, callApi, postRequest, SITE } from '../../tests/support/api.ts';
import { ARTICLES, contentOf, showing, type WantedPost } from '../../tests/support/content.ts';
import type { EmbeddedSite } from '../../tests/support/embedded-site.ts';
import { sharedSite, siteOfTest } from '../../tests/support/shared-site.ts';

const DAY = 24 * 3600;
const site = await sharedSite();
const content = contentOf(site);
let links: DraftLinks;
let publishing: PublishingLocals;
let now = Date.now();
let number = 0;
beforeAll(async () => {
  for (const userId of ['ann', 'bob']) await content.users.create({ userId, email: `${userId}@example.com` });
  for (const fileId of ['mine', 'unshown']) await content.upload(fileId);
  await content.upload('theirs', 'inactive', filePermissions('inactive', 'bob'));
});
beforeEach(() => {
  // Starts on a whole second, because links expire on whole seconds.
  now = Math.ceil(Date.now() / 1000) * 1000;
  links = openDraftLinks(site.target, SITE, () => now);
  publishing = apiSite({ draftLinks: links });
});

const draft = async (given: WantedPost = {}) => (await content.post(`draft-${++number}`, given)).$id;
const ask = async (who: string, body: object) => {
  const request = postRequest('/api/draft-link', body, who ? { cookie: `user=${who}` } : {});
  const answer = await callApi(request, publishing);
  return { status: answer.status, body: (await answer.json()) as { link?: { url: string; until: string } } };
};
const make = async (slug: string, holds = 'day', who = 'ann') => {
  const { body } = await ask(who, { action: 'make', slug, holds });
  return new URL(body.link?.url ?? '').pathname.split('/').at(-1) ?? '';
};
const open = async (slug: string, key: string, address = '192.0.2.2') => {
  const { kind, status } = await openDraft(publishing, address, slug, key);
  return [kind, status];
};

async function peopleOf({ target }: EmbeddedSite, userId: string, role = 'owner') {
  await new Teams(serverClient(target)).createMembership({ teamId: 'site', userId, roles: [role] });
  return createPeople(target, { siteUrl: SITE, writers: undefined, published: async () => {} });
}

it('a link to a draft is made by the author only, and shows the draft until it expires', async () => {
  const slug = await draft();
  expect((await ask('', { action: 'make', slug, holds: 'day' })).status).toBe(401);
  expect((await ask('bob', { action: 'make', slug, holds: 'day' })).status).toBe(404);
  expect((await ask('bob', { action: 'find', slug })).status).toBe(404);
  expect((await ask('ann', { action: 'make', slug, holds: 'year' })).status).toBe(400);
  const key = await make(slug);
  expect((await ask('ann', { action: 'find', slug })).body.link?.url).toBe(`${SITE}/draft/${slug}/${key}`);
  expect(await open(slug, key)).toEqual(['draft', 200]);
  now += DAY * 1000 - 1;
  expect(await open(slug, key)).toEqual(['draft', 200]);
  now += 1;
  expect(await open(slug, key)).toEqual(['expired', 410]);
  expect((await ask('ann', { action: 'find', slug })).body.link).toBeUndefined();
});

it('shows nothing once it is revoked or replaced, on any instance', async () => {
  const slug = await draft();
  const former = await make(slug);
  const key = await make(slug, 'month');
  expect(await open(slug, former)).toEqual(['gone', 410]);
  expect(await open(slug, key)).toEqual(['draft', 200]);
  expect((await ask('bob', { action: 'take-back', slug })).status).toBe(404);
  await ask('ann', { action: 'take-back', slug });
  expect(await open(slug, key)).toEqual(['gone', 410]);
  expect(await openDraftLinks(site.target, SITE).open(slug, key)).toEqual({ kind: 'gone' });
});

it('shows nothing while its author is blocked or deleted', async () => {
  const { users } = content;
  await users.create({ userId: 'eve', email: 'eve@example.com' });
  const slug = await draft({ userId: 'eve', featuredImage: 'eves' });
  await content.upload('eves', 'inactive', filePermissions('inactive', 'eve'));
  const key = await make(slug, 'day', 'eve');
  const shown = async () => {
    const params = { slug, key, bucket: 'media', file: 'eves', kind: 'view' };
    const { status } = await draftPicture(publishing, '192.0.2.6', params, new URLSearchParams());
    return [(await open(slug, key))[1], status];
  };
  expect(await shown()).toEqual([200, 200]);
  await users.updateStatus({ userId: 'eve', status: false });
  expect(await shown()).toEqual([410, 404]);
  await users.updateStatus({ userId: 'eve', status: true });
  expect(await shown()).toEqual([200, 200]);
  await users.delete({ userId: 'eve' });
  expect(await shown()).toEqual([410, 404]);
});

it.each(['owner', 'editor'])('is neither made, seen nor revoked by an %s', async (role) => {
  const slug = await draft();
  const key = await make(slug);
  const userId = `the-${role}`;
  await content.users.create({ userId, email: `${role}@example.com` });
  const people = await peopleOf(site, userId, role);
  publishing = { ...publishing, people, verifySession: async () => ({ id: userId }) };
  for (const action of ['make', 'find', 'take-back'])
    expect((await ask(userId, { action, slug, ...(action === 'make' && { holds: 'day' }) })).status).toBe(404);
  expect(await open(slug, key)).toEqual(['draft', 200]);
});

it.each(['unpublishes it', 'reassigns it', 'deletes its author and gets it'])(
  'shows nothing of a post once an owner %s',
  async (change) => {
    const [owner, author] = [`owner${++number}`, `author${number}`];
    for (const userId of [owner, author]) await content.users.create({ userId, email: `${userId}@example.com` });
    const people = await peopleOf(site, owner);
    const slug = await draft({ userId: author });
    const key = await make(slug, 'month', author);
    const put = (status: PostStatus, userId: string) => {
      const permissions = postPermissions(status, userId);
      return content.databases.updateDocument({ ...ARTICLES, documentId: slug, data: { status }, permissions });
    };
    if (change === 'deletes its author and gets it') {
      await people.act(owner, new Headers(), { action: 'delete', userId: author, posts: 'hand-over' });
    } else {
      await put('active', author);
      const action = change === 'reassigns it' ? 'hand-over' : 'take-back';
      await people.moderate(owner, { action, slug, userId: owner });
      if (action === 'hand-over') await put('inactive', owner);
    }
    expect(await open(slug, key)).toEqual(['gone', 410]);
  },
);

it('stops no owner from moderating if the backend lacks the collection for links', async () => {
  const other = await siteOfTest();
  const { databases, post, users } = contentOf(other);
  await users.create({ userId: 'owner', email: 'owner@example.com' });
  const people = await peopleOf(other, 'owner');
  await databases.deleteCollection({ databaseId: 'blog', collectionId: 'draft-links' });
  const { $id: slug } = await post('published', { status: 'active' });
  await people.moderate('owner', { action: 'hand-over', slug, userId: 'owner' });
  await people.moderate('owner', { action: 'take-back', slug });
  const found = await databases.getDocument({ ...ARTICLES, documentId: slug });
  expect(found).toMatchObject({ userId: 'owner', status: 'inactive' });
});

it('is refused with any other key or post, without asking the backend', async () => {
  const [slug, other] = [await draft(), await draft()];
  const key = await make(slug);
  const [expires = '', nonce = '', mark = ''] = key.split('.');
  const later = (Number.parseInt(expires, 36) + DAY).toString(36);
  const silent = openDraftLinks({ ...site.target, endpoint: 'http://127.0.0.1:9/v1' }, SITE);
  publishing = { ...publishing, draftLinks: silent };
  const changed = (part: string) => part.replace(/./, (c) => (c === 'A' ? 'B' : 'A'));
  const bad = [[later, nonce, mark], [expires, changed(nonce), mark], [expires, nonce, changed(mark)], [`${key}x`], []];
  for (const parts of bad) expect(await open(slug, parts.join('.'))).toEqual(['unknown', 404]);
  expect(await open(other, key)).toEqual(['unknown', 404]);
});

it('is not made for a published post, and shows nothing of a deleted post’s successor', async () => {
  const slug = await draft();
  const key = await make(slug);
  const place = { ...ARTICLES, documentId: slug };
  const permissions = postPermissions('active', 'ann');
  await content.databases.updateDocument({ ...place, data: { status: 'active' }, permissions });
  expect((await ask('ann', { action: 'make', slug, holds: 'day' })).status).toBe(422);
  await content.databases.deleteDocument(place);
  await content.post(slug);
  expect(await open(slug, key)).toEqual(['gone', 410]);
});

it('shows only the pictures of the draft that its author owns', async () => {
  const slug = await draft({ featuredImage: 'mine', content: showing('theirs') });
  const key = await make(slug);
  const fetched = async (file: string, kind = 'view', query = '') => {
    const params = { slug, key, bucket: 'media', file, kind };
    const answer = await draftPicture(publishing, '192.0.2.3', params, new URLSearchParams(query));
    const policies = [answer.headers.get('cache-control'), answer.headers.get('referrer-policy')];
    expect(policies).toEqual(['private, no-store', 'no-referrer']);
    return [answer.status, answer.headers.get('content-type'), (await answer.arrayBuffer()).byteLength > 0];
  };
  expect(await fetched('mine')).toEqual([200, 'image/png', true]);
  expect(await fetched('mine', 'preview', 'width=480&output=webp&project=x')).toEqual([200, 'image/webp', true]);
  expect((await fetched('mine', 'preview', 'width=481&output=webp'))[0]).toBe(404);
  for (const file of ['theirs', 'unshown', 'nothing']) expect((await fetched(file))[0]).toBe(404);
  await links.takeBack(slug);
  expect((await fetched('mine'))[0]).toBe(404);
});

it('is stored where only the server can read or write', async () => {
  const slug = await draft();
  await make(slug);
  const { databases } = content;
  const guest = new Databases(guestClient(site.target));
  const kept = { databaseId: 'blog', collectionId: 'draft-links' };
  await expect(guest.getDocument({ ...kept, documentId: slug })).rejects.toMatchObject({ code: 404 });
  const { $permissions } = await databases.getCollection(kept);
  expect([$permissions, (await databases.getDocument({ ...kept, documentId: slug })).$permissions]).toEqual([[], []]);
});
