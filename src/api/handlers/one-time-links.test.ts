import { Account, ID, Teams, Users } from 'node-appwrite';
import { beforeEach, expect, test } from 'vitest';
import { guestClient, serverClient } from '#backend/target.ts';
import type { PeopleAction, PeopleOutcome, SiteRole } from '#blog/people.ts';
import * as support from '../../../tests/support/people.ts';
import type { PublishingLocals } from '../locals.ts';

const { ask, sharedPeopleSite, PASSWORD, peopleApi, removeRoles } = support;
type Someone = support.Someone;
const site = await sharedPeopleSite();
let publishing: PublishingLocals;
const users = () => new Users(serverClient(site.target));
const teams = () => new Teams(serverClient(site.target));
beforeEach(async () => {
  publishing = peopleApi(site, { siteUrl: 'http://localhost' });
  await removeRoles(site);
});

const person = (role?: SiteRole) => support.person(site, role);
const act = ({ session }: Someone, action: PeopleAction) =>
  ask<PeopleOutcome>(publishing, '/api/people', session, action);

const linkTo = async (maker: Someone, { id: userId }: Someone) => (await act(maker, { action: 'link', userId })).link;

/** Opens a one-time link. Returns `signed in as <id>`, `refused <code>` from the backend, or the API's error status. */
async function opened(link: string | undefined): Promise<string> {
  const [, userId = '', sealed = ''] = /#([^.]+)\.(.+)$/.exec(link ?? '') ?? [];
  const { status, secret } = await ask<{ secret: string }>(publishing, '/api/account/link', '', { userId, sealed });
  if (status !== '200') return status.slice(0, 3);
  return new Account(guestClient(site.target)).createSession({ userId, secret }).then(
    (session) => `signed in as ${session.userId}`,
    (error: { code: number }) => `refused ${error.code}`,
  );
}

const accountOf = ({ session }: Someone) => new Account(guestClient(site.target).setSession(session));
const works = ({ id }: Someone) => `signed in as ${id}`;
const refused = expect.stringMatching(/^(404|refused 401)$/);

test('the backend takes no part of a link by itself', async () => {
  const [owner, writer] = [await person('owner'), await person('writer')];
  const [, sealed = ''] = /\.([\w-]+)$/.exec((await linkTo(owner, writer)) ?? '') ?? [];
  const account = new Account(guestClient(site.target));
  for (const secret of [sealed.slice(0, 256), Buffer.from(sealed, 'base64url').toString('hex').slice(0, 64)])
    await expect(account.createSession({ userId: writer.id, secret })).rejects.toMatchObject({ code: 401 });
});

const FALLS: Record<string, (maker: Someone, other: Someone) => Promise<unknown>> = {
  'is an editor now': ({ id }, other) => act(other, { action: 'role', userId: id, role: 'editor' }),
  'has no role now': ({ id }, other) => act(other, { action: 'role', userId: id, role: null }),
  'is blocked': ({ id }, other) => act(other, { action: 'block', userId: id, isBlocked: true }),
  'is deleted': ({ id }, other) => act(other, { action: 'delete', userId: id, posts: 'delete' }),
  'deleted the account': ({ id }) => publishing.people?.deleteUser(id, 'delete') ?? Promise.resolve(),
};

test.each(Object.keys(FALLS))('the links and open invitations of an owner who %s hold no longer', async (fall) => {
  const [maker, other, writer] = [await person('owner'), await person('owner'), await person('writer')];
  const [guest, newcomer] = [await person(), `${ID.unique()}@example.com`];
  const link = await linkTo(maker, writer);
  const { link: invitation } = await act(maker, { action: 'invite', by: 'link', email: newcomer, role: 'owner' });
  const mailed = await act(maker, { action: 'invite', by: 'mail', email: guest.email, role: 'editor' });
  expect(mailed).toMatchObject({ isMailed: true });
  await FALLS[fall]?.(maker, other);
  expect([await opened(link), await opened(invitation)]).toEqual(['404', '404']);
  const { memberships } = await teams().listMemberships({ teamId: 'site' });
  expect(memberships.filter(({ confirm }) => !confirm)).toEqual([]);
});

test('the links of an owner hold, once, when another owner is dismissed', async () => {
  const [maker, other, writer] = [await person('owner'), await person('owner'), await person('writer')];
  const link = await linkTo(maker, writer);
  await act(maker, { action: 'role', userId: other.id, role: 'writer' });
  expect(await opened(link)).toBe(works(writer));
  expect(await opened(link)).toBe('refused 401');
});

const ENDINGS: Record<string, (owner: Someone, user: Someone) => Promise<unknown>> = {
  'a newer link': linkTo,
  'another role': (owner, { id }) => act(owner, { action: 'role', userId: id, role: 'editor' }),
  'being made an owner': (owner, { id }) => act(owner, { action: 'role', userId: id, role: 'owner' }),
  async 'a block that was lifted'(owner, { id: userId }) {
    await act(owner, { action: 'block', userId, isBlocked: true });
    await act(owner, { action: 'block', userId, isBlocked: false });
  },
  'being signed out everywhere': (owner, { id }) => act(owner, { action: 'end-sessions', userId: id }),
  'signing out everywhere': (_, user) => accountOf(user).deleteSessions(),
  'a new password': (_, { id }) => users().updatePassword({ userId: id, password: 'Another-horse-2' }),
};

test.each(Object.keys(ENDINGS))('%s ends the one-time link from before', async (ending) => {
  const [owner, writer] = [await person('owner'), await person('writer')];
  const link = await linkTo(owner, writer);
  await ENDINGS[ending]?.(owner, writer);
  expect(await opened(link)).toEqual(refused);
});

test('nobody but an owner makes a link to that owner’s account', async () => {
  const [owner, other] = [await person('owner'), await person('owner')];
  expect(await act(owner, { action: 'link', userId: other.id })).toEqual({ status: '403 owner-link' });
  const invitation = { action: 'invite', by: 'link', email: other.email, role: 'owner' } as const;
  expect(await act(owner, invitation)).toEqual({ status: '403 owner-link' });
  expect(await opened(await linkTo(owner, owner))).toBe(works(owner));
  expect(await opened(await publishing.people?.makeOwner(other.email))).toBe(works(other));
});

test.each(['mail', 'link'] as const)('an address invited by %s is lost to whoever signed up with it', async (by) => {
  const [owner, stranger] = [await person('owner'), await person()];
  const outcome = await act(owner, { action: 'invite', by, email: stranger.email, role: 'owner' });
  expect(outcome).toMatchObject({ status: '200', isRenewed: true });
  await expect(accountOf(stranger).get()).rejects.toMatchObject({ code: 401 });
  const login = { email: stranger.email, password: PASSWORD };
  const guest = new Account(guestClient(site.target));
  await expect(guest.createEmailPasswordSession(login)).rejects.toMatchObject({ code: 401 });
  if (by === 'mail') return;
  expect(outcome.link).toContain('/welcome?renewed#');
  expect(await opened(outcome.link)).toBe(works(stranger));
});

test('an invitation leaves an account alone whose address was proven', async () => {
  const [owner, person_] = [await person('owner'), await person()];
  await users().updateEmailVerification({ userId: person_.id, emailVerification: true });
  const outcome = await act(owner, { action: 'invite', by: 'link', email: person_.email, role: 'writer' });
  expect(outcome).toMatchObject({ status: '200', isRenewed: false });
  expect((await accountOf(person_).get()).$id).toBe(person_.id);
});

test('`npm run owner` ends what a stranger has of the operator’s address', async () => {
  const stranger = await person();
  const link = await publishing.people?.makeOwner(stranger.email);
  await expect(accountOf(stranger).get()).rejects.toMatchObject({ code: 401 });
  expect(await opened(link)).toBe(works(stranger));
});
