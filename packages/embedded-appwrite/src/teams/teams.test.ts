import { expect, it } from 'vitest';
import { useMailingBackend } from '../../tests/support/use-backend.ts';
import { MOST_ROLES } from './roles.ts';

const url = 'http://localhost:5173/join';
const MEMBERSHIPS = '/teams/staff/memberships';
const { server, mail } = useMailingBackend({}, { each: true });
const roles = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);

/** Creates Ann with the team `staff`, and Bob. `invite` emails an invitation; `accept` accepts it for Bob. */
async function annAndBob() {
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  const team = await server.request('POST', '/teams', { ...ann, body: { teamId: 'staff', name: 'Staff' } });
  expect(team).toMatchObject({ status: 201 });
  async function invite(email = 'bob@example.com') {
    await server.request('POST', MEMBERSHIPS, { ...ann, body: { email, roles: [], url } });
    return mail.linkTo(email);
  }
  const accept = (link: URLSearchParams, as: { cookies?: string } = {}) =>
    server.request('PATCH', `${MEMBERSHIPS}/${link.get('membershipId')}/status`, {
      ...as,
      body: { userId: bob.userId, secret: link.get('secret') },
    });
  return { ann, bob, invite, accept };
}

it('limits the roles of a user over all teams', async () => {
  const ann = await server.signUp('ann@example.com');
  const full = Math.floor(MOST_ROLES / 102);
  const join = (name: string, count: number) =>
    server.request('POST', '/teams', { cookies: ann.cookies, body: { teamId: name, name, roles: roles(count) } });
  // Each team grants its creator 102 roles: the team's, the member's, `owner` and the 99 in the list.
  for (let i = 0; i < full; i++) expect(await join(`t${i}`, 99)).toMatchObject({ status: 201 });
  const left = MOST_ROLES - full * 102;
  expect(await join('too-much', left - 2)).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
  expect(await server.request('GET', '/teams/too-much', { asKey: true })).toMatchObject({ status: 404 });
  expect(await join('just', left - 3)).toMatchObject({ status: 201 });
  const body = { userId: ann.userId, roles: [] };
  await server.request('POST', '/teams', { asKey: true, body: { teamId: 'of-key', name: 'x' } });
  const invited = await server.request('POST', '/teams/of-key/memberships', { asKey: true, body });
  expect(invited).toMatchObject({ status: 400 });
  expect(await server.request('GET', '/teams/of-key', { asKey: true })).toMatchObject({ body: { total: 0 } });
});

it('lets only a key reuse the id of a deleted team', async () => {
  const { ann, bob } = await annAndBob();
  await server.request('DELETE', '/teams/staff', ann);
  const body = { teamId: 'staff', name: 'Staff' };
  const again = await server.request('POST', '/teams', { cookies: bob.cookies, body });
  expect(again).toMatchObject({ status: 409, body: { type: 'team_already_exists' } });
  expect(await server.request('POST', '/teams', { asKey: true, body })).toMatchObject({ status: 201 });
});

it('makes no account for a refused invitation', async () => {
  const { bob } = await annAndBob();
  await server.request('POST', MEMBERSHIPS, { asKey: true, body: { userId: bob.userId, roles: [] } });
  const body = { email: 'new@example.com', roles: [], url };
  expect(await server.request('POST', MEMBERSHIPS, { cookies: bob.cookies, body })).toMatchObject({ status: 401 });
  expect(await server.request('GET', '/users', { asKey: true })).toMatchObject({ body: { total: 2 } });
  expect(mail.offered).toEqual([]);
});

it('signs no blocked user in by an invitation, which ends with the block', async () => {
  const { bob, invite, accept } = await annAndBob();
  const link = await invite();
  const block = (status: boolean) =>
    server.request('PATCH', `/users/${bob.userId}/status`, { asKey: true, body: { status } });
  await block(false);
  expect(await accept(link)).toMatchObject({ status: 403, body: { type: 'user_blocked' }, cookies: '' });
  await block(true);
  expect(await accept(link)).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
});

it.each(['user', 'key'])('takes no invitation to an address that a %s has changed since', async (by) => {
  const { bob, invite, accept } = await annAndBob();
  const former = await invite();
  const body = { email: 'victim@example.com', password: 'correct horse' };
  const path = by === 'key' ? `/users/${bob.userId}/email` : '/account/email';
  await server.request('PATCH', path, { ...(by === 'key' ? { asKey: true } : { cookies: bob.cookies }), body });
  expect(await accept(former, bob)).toMatchObject({ status: 401, body: { type: 'team_invalid_secret' } });
  expect(await server.request('GET', '/account', bob)).toMatchObject({ body: { emailVerification: false } });
  const next = await invite('victim@example.com');
  expect(await accept(next, bob)).toMatchObject({ status: 200, body: { confirm: true } });
});

it('lets one of ten in who use an invitation at once', async () => {
  const { invite, accept } = await annAndBob();
  const link = await invite();
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(link)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(answers.filter(({ cookies }) => cookies !== '')).toHaveLength(1);
});
