import { Databases, ID, Storage, Teams, Users } from 'node-appwrite';
import { beforeEach, expect, test } from 'vitest';
import { type ArticleDocument, postOf } from '#backend/document.ts';
import { keptPictureId } from '#backend/revision-ids.ts';
import { guestClient, serverClient } from '#backend/target.ts';
import type { PeopleOutcome, SiteRole } from '#blog/people.ts';
import { isForgery, postPermissions } from '#blog/permissions.ts';
import type { PostStatus } from '#blog/post.ts';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import * as support from '../../../tests/support/people.ts';
import type { PublishingLocals } from '../locals.ts';

const { ask, sharedPeopleSite, PASSWORD, peopleApi, removeRoles } = support;
type Someone = support.Someone;
const REVISIONS = { databaseId: 'blog', collectionId: 'revisions' };
const site = await sharedPeopleSite();
let publishing: PublishingLocals;
const byKey = () => serverClient(site.target);
const as = ({ session }: Someone) => guestClient(site.target).setSession(session);
beforeEach(async () => {
  publishing = peopleApi(site);
  await removeRoles(site);
});

const person = (role?: SiteRole) => support.person(site, role);
/** Calls a route as a user. Returns `200`, or the error's status and code. */
const asked = async (path: string, { session }: Someone, body: object) =>
  (await ask(publishing, path, session, body)).status;

async function picture(who: Someone, fileId = ID.unique(), status: PostStatus = 'active'): Promise<string> {
  await contentOf(site, as(who)).upload(fileId, status, postPermissions(status, who.id));
  return fileId;
}

/** As `writer`, creates a post whose `userId` may be another user's. */
async function post(writer: Someone, { id: userId } = writer, featuredImage = '', status: PostStatus = 'active') {
  const permissions = postPermissions(status, writer.id);
  const given = { featuredImage, status, userId, permissions };
  return (await contentOf(site, as(writer)).post(ID.unique(), given)).$id;
}

const stored = (documentId: string) => new Databases(byKey()).getDocument({ ...ARTICLES, documentId });
const ownerOfFile = async (fileId: string) =>
  (await new Storage(byKey()).getFile({ bucketId: 'media', fileId })).$permissions;

test('a post that its writer shows to all who are signed in is taken back, whatever its status says', async () => {
  const [editor, author] = [await person('editor'), await person('writer')];
  const permissions = ['read("users")', `update("user:${author.id}")`];
  const { $id: documentId } = await contentOf(site, as(author)).post(ID.unique(), { userId: author.id, permissions });
  expect(await asked('/api/posts', editor, { action: 'take-back', slug: documentId })).toBe('200');
  expect((await stored(documentId)).$permissions).toEqual(postPermissions('inactive', author.id));
});

test('versions from before a post was published stay with who wrote them when an editor hands it over', async () => {
  const [editor, author] = [await person('editor'), await person('writer')];
  const slug = await post(author);
  const image = await picture(author, keptPictureId('of-the-draft'), 'inactive');
  const draft = await version(author, slug, 'of-the-draft', 'inactive');
  const published = await version(author, slug);
  expect(await handOver(editor, slug, editor)).toBe('200');
  const databases = new Databases(as(editor));
  await expect(databases.getDocument({ ...REVISIONS, documentId: draft })).rejects.toMatchObject({ code: 404 });
  expect(await databases.getDocument({ ...REVISIONS, documentId: published })).toMatchObject({ postId: slug });
  expect(await ownerOfFile(image)).toEqual(postPermissions('inactive', author.id));
});

test('a private picture of a former version stays with its author if another post of theirs shows it', async () => {
  const [editor, author] = [await person('editor'), await person('writer')];
  const [shared, former] = [
    await picture(author, ID.unique(), 'inactive'),
    await picture(author, ID.unique(), 'inactive'),
  ];
  const slug = await post(author);
  for (const fileId of [shared, former]) await version(author, slug, fileId);
  await post(author, author, shared, 'inactive');
  expect(await handOver(editor, slug, editor)).toBe('200');
  expect(await ownerOfFile(shared)).toEqual(postPermissions('inactive', author.id));
  expect(await ownerOfFile(former)).toEqual(postPermissions('inactive', editor.id));
});

test('a writer hands over neither a post of their own nor what names somebody else as its author', async () => {
  const [owner, writer] = [await person('owner'), await person('writer')];
  const image = await picture(owner);
  const [own, forged] = [await post(writer), await post(writer, owner, image, 'inactive')];
  expect(await handOver(writer, own, owner)).toBe('403 not-allowed');
  expect(await handOver(writer, forged, writer)).toBe('403 not-allowed');
  expect((await stored(own)).userId).toBe(writer.id);
  expect(await ownerOfFile(image)).toEqual(postPermissions('active', owner.id));
});

test('an editor who hands over a forgery leaves the pictures of whom it names alone', async () => {
  const [owner, editor, writer] = [await person('owner'), await person('editor'), await person('writer')];
  const image = await picture(owner);
  const slug = await post(writer, owner, image);
  expect(await handOver(editor, slug, editor)).toBe('200');
  expect(await stored(slug)).toMatchObject({ userId: editor.id, $permissions: postPermissions('active', editor.id) });
  expect(await ownerOfFile(image)).toEqual(postPermissions('active', owner.id));
});

test('the list of people counts published posts and no drafts', async () => {
  const [editor, author] = [await person('editor'), await person('writer')];
  const posts = async () =>
    (await publishing.people?.list(editor.id, '', 1))?.people.find(({ id }) => id === author.id)?.posts;
  await post(author, author, '', 'inactive');
  expect(await posts()).toBe(0);
  await post(author);
  expect(await posts()).toBe(1);
});

const rolesOf = async ({ id }: Someone) => {
  const { memberships } = await new Teams(byKey()).listMemberships({ teamId: 'site' });
  return memberships.flatMap(({ userId, roles, confirm }) => (userId === id && confirm ? roles : []));
};

test('an invitation by mail of somebody who is there changes the role, and never the last owner’s', async () => {
  const [owner, editor] = [await person('owner'), await person('editor')];
  const invite = ({ email }: Someone) =>
    asked('/api/people', owner, { action: 'invite', by: 'mail', email, role: 'writer' });
  expect(await invite(owner)).toBe('422 last-owner');
  expect(await rolesOf(owner)).toEqual(['owner']);
  expect(await invite(editor)).toBe('200');
  expect(await rolesOf(editor)).toEqual(['writer']);
});

test('a version that a stranger wrote of a post takes no picture along', async () => {
  const [editor, author, writer] = [await person('editor'), await person('writer'), await person('writer')];
  const [shown, elsewhere] = [await picture(author), await picture(author)];
  const slug = await post(author, author, shown);
  await version(writer, slug, elsewhere);
  expect(await handOver(editor, slug, editor)).toBe('200');
  expect(await ownerOfFile(shown)).toEqual(postPermissions('active', editor.id));
  expect(await ownerOfFile(elsewhere)).toEqual(postPermissions('active', author.id));
});

test('whoever is deleted hands over what is theirs, and nothing that names them as its author', async () => {
  const [owner, leaving, writer] = [await person('owner'), await person('writer'), await person('writer')];
  const [own, draft] = [await post(leaving), await post(leaving, leaving, '', 'inactive')];
  const forged = await post(writer, leaving);
  const body = { action: 'delete', userId: leaving.id, posts: 'hand-over' };
  expect(await asked('/api/people', owner, body)).toBe('200');
  const found = await Promise.all([own, draft, forged].map(stored));
  const update = `update("user:${owner.id}")`;
  const theirs = expect.objectContaining({ userId: owner.id, $permissions: expect.arrayContaining([update]) });
  const forgery = { userId: leaving.id, $permissions: expect.not.arrayContaining([update]) };
  expect(found).toEqual([theirs, theirs, expect.objectContaining(forgery)]);
});

test('an owner who is blocked is none who could let others in', async () => {
  const [owner, second] = [await person('owner'), await person('owner')];
  const act = (body: object) => asked('/api/people', owner, body);
  expect(await act({ action: 'block', userId: second.id, isBlocked: true })).toBe('200');
  expect(await act({ action: 'role', userId: owner.id, role: 'writer' })).toBe('422 last-owner');
  expect(await act({ action: 'role', userId: second.id, role: 'writer' })).toBe('200');
  expect(await rolesOf(owner)).toEqual(['owner']);
});

const owners = async (people: readonly Someone[]) =>
  (await Promise.all(people.map(rolesOf))).filter(([role]) => role === 'owner');

test('of two owners who take each other’s role away at once, one stays', async () => {
  const [one, two] = [await person('owner'), await person('owner')];
  const takeFrom = (owner: Someone, { id: userId }: Someone) =>
    asked('/api/people', owner, { action: 'role', userId, role: 'writer' });
  const answers = await Promise.all([takeFrom(one, two), takeFrom(two, one)]);
  expect(answers.toSorted()).toEqual(['200', '403 not-allowed']);
  expect(await owners([one, two])).toHaveLength(1);
});

test('of two owners who delete their accounts at once, one stays and has the posts of the other', async () => {
  const [one, two] = [await person('owner'), await person('owner')];
  const slug = await post(one);
  const leave = [one, two].map(({ id }) => publishing.people?.deleteUser(id, 'hand-over'));
  expect((await Promise.allSettled(leave)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await owners([one, two])).toHaveLength(1);
  expect((await stored(slug)).userId).toBe(two.id);
});

test('of two who claim the site by one link at once, one owns it', async () => {
  const people = [await person(), await person()];
  const right = new Set(['the-token-of-the-start']);
  publishing = { ...publishing, ownerToken: { isRight: (token) => right.has(token), spend: () => right.clear() } };
  const claim = (each: Someone) => asked('/api/claim', each, { token: 'the-token-of-the-start' });
  expect((await Promise.all(people.map(claim))).toSorted()).toEqual(['200', '422 wrong-token']);
  expect(await owners(people)).toHaveLength(1);
});

async function version(who: Someone, postId: string, featuredImage = '', status: PostStatus = 'active') {
  const data = { postId, versionOf: '2026-01-01', title: 'A', status, size: 1, featuredImage };
  const permissions = postPermissions('inactive', who.id);
  const place = { ...REVISIONS, documentId: ID.unique() };
  return (await new Databases(as(who)).createDocument({ ...place, data, permissions })).$id;
}
const handOver = (editor: Someone, slug: string, { id: userId }: Someone) =>
  asked('/api/posts', editor, { action: 'hand-over', slug, userId });

test('a post that is handed over is listed all the while', async () => {
  const [editor, author, heir] = [await person('editor'), await person('writer'), await person('writer')];
  const slug = await post(author);
  await version(author, slug);
  const shown: boolean[] = [];
  site.listen(({ payload }) => {
    if (payload.$id === slug) shown.push(!isForgery(postOf(payload as unknown as ArticleDocument)));
  });
  expect(await handOver(editor, slug, heir)).toBe('200');
  expect(shown).toEqual([true]);
});

test('a version that its author deletes meanwhile stops no hand-over', async () => {
  const [editor, author, heir] = [await person('editor'), await person('writer'), await person('writer')];
  const slug = await post(author);
  const versions = [await version(author, slug), await version(author, slug)];
  let isFirst = true;
  site.listen(async ({ payload }) => {
    const other = versions.find((id) => id !== payload.$id);
    if (!isFirst || !versions.includes(String(payload.$id)) || !other) return;
    isFirst = false;
    await new Databases(byKey()).deleteDocument({ ...REVISIONS, documentId: other });
  });
  expect(await handOver(editor, slug, heir)).toBe('200');
  expect(isFirst).toBe(false);
  expect(await stored(slug)).toMatchObject({ userId: heir.id, $permissions: postPermissions('active', heir.id) });
});

/** Changes a post's status as soon as its version `first` changes hands. Returns a function that tells if it has. */
function changeMeanwhile({ id }: Someone, slug: string, first: string, status: PostStatus): () => boolean {
  let isDone = false;
  site.listen(async ({ payload }) => {
    if (isDone || payload.$id !== first) return;
    isDone = true;
    const place = { ...ARTICLES, documentId: slug };
    // Writes with the server key, as scheduled publishing does, because the author may be blocked.
    await new Databases(byKey()).updateDocument({
      ...place,
      data: { status },
      permissions: postPermissions(status, id),
    });
  });
  return () => isDone;
}

test.each(['active', 'inactive'] as const)(
  'a post that becomes %s while an owner who deletes its author hands it over is so',
  async (status) => {
    const [owner, author] = [await person('owner'), await person('writer')];
    const slug = await post(author, author, '', status === 'active' ? 'inactive' : 'active');
    const isChanged = changeMeanwhile(author, slug, await version(author, slug), status);
    const deletion = { action: 'delete', userId: author.id, posts: 'hand-over' };
    expect([await asked('/api/people', owner, deletion), isChanged()]).toEqual(['200', true]);
    const $permissions = postPermissions(status, owner.id);
    expect(await stored(slug)).toMatchObject({ status, userId: owner.id, $permissions });
  },
);

test('a post that becomes a draft while an editor hands it over stays its author’s, with its pictures', async () => {
  const [editor, author, heir] = [await person('editor'), await person('writer'), await person('writer')];
  const [shown, former] = [await picture(author), ID.unique()];
  const copy = await picture(author, keptPictureId(former), 'inactive');
  const slug = await post(author, author, shown);
  const versions = [await version(author, slug, shown), await version(author, slug, former)] as const;
  const isChanged = changeMeanwhile(author, slug, versions[0], 'inactive');
  expect([await handOver(editor, slug, heir), isChanged()]).toEqual(['404 not-found', true]);
  const $permissions = postPermissions('inactive', author.id);
  expect(await stored(slug)).toMatchObject({ status: 'inactive', userId: author.id, $permissions });
  for (const documentId of versions)
    expect(await new Databases(byKey()).getDocument({ ...REVISIONS, documentId })).toMatchObject({ $permissions });
  for (const fileId of [shown, copy]) expect((await ownerOfFile(fileId)).toSorted()).toEqual($permissions.toSorted());
});

test('a post that names its heir already, and is the former author’s still, becomes the heir’s with its pictures', async () => {
  const [editor, author, heir] = [await person('editor'), await person('writer'), await person('writer')];
  const slug = await post(author, heir);
  await version(author, slug, 'former');
  const copy = await picture(author, keptPictureId('former'));
  expect(await handOver(editor, slug, heir)).toBe('200');
  expect((await stored(slug)).$permissions).toEqual(postPermissions('active', heir.id));
  expect(await ownerOfFile(copy)).toContain(`update("user:${heir.id}")`);
});

test('whoever an owner deletes writes nothing meanwhile', async () => {
  const [owner, leaving] = [await person('owner'), await person('writer')];
  await post(leaving);
  const tried: Promise<unknown>[] = [];
  const published = async () => void tried.push(post(leaving).catch((error: { code: number }) => error.code));
  publishing = peopleApi(site, { published });
  const body = { action: 'delete', userId: leaving.id, posts: 'hand-over' };
  expect(await asked('/api/people', owner, body)).toBe('200');
  expect(await Promise.all(tried)).toEqual([401]);
});

test('the last owner’s account is not deleted, and no session is left of the asking', async () => {
  const owner = await person('owner');
  const sessions = async () => (await new Users(byKey()).listSessions({ userId: owner.id })).total;
  const before = await sessions();
  const body = { password: PASSWORD, posts: 'delete' };
  expect(await asked('/api/account/delete', owner, body)).toBe('422 last-owner');
  expect(await sessions()).toBe(before);
});

test('an owner whom the operator makes is blocked no longer', async () => {
  const owner = await person('owner');
  await new Users(byKey()).updateStatus({ userId: owner.id, status: false });
  expect(await publishing.people?.hasOwner()).toBe(false);
  expect(await publishing.people?.makeOwner(owner.email)).toContain('/welcome');
  expect(await publishing.people?.hasOwner()).toBe(true);
});

test.each([
  ['a link', { action: 'link' }, 'writer'],
  ['another role', { action: 'role', role: 'editor' }, 'editor'],
])('%s for somebody who has not answered an invitation gives the role and a link', async (_, action, role) => {
  const [owner, guest] = [await person('owner'), await person()];
  publishing = peopleApi(site, { siteUrl: 'http://localhost' });
  const body = { action: 'invite', by: 'mail', email: guest.email, role: 'writer' };
  expect([await asked('/api/people', owner, body), await rolesOf(guest)]).toEqual(['200', []]);
  const outcome = await ask<PeopleOutcome>(publishing, '/api/people', owner.session, { ...action, userId: guest.id });
  expect(outcome.link).toContain('/welcome');
  expect(await rolesOf(guest)).toEqual([role]);
});
