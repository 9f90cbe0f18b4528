/** G: members added with a key or invited by email, their roles and their visibility (contract part 2, section 6). */
import type { Models } from 'node-appwrite';
import { absent, DATE, error, INVALID, invalid, MISSING_SCOPE, NO_USER, refused, UNREGISTERED } from './expect.ts';
import type { Http } from './http.ts';
import { expect, test } from './kit.ts';
import { freshEmail } from './names.ts';
import { anotherSession, cookieName, forget, guestOf, keyOf, people, server, signedIn } from './people.ts';
import { CONFIRMED, invited, joined, MISSING, NOT_FOUND, NOT_OWNER, PAGE, teamOf, totalOf } from './teams.ts';

const MISMATCH = error(404, 'team_membership_mismatch', 'The membership ID does not belong to the team ID.');

test('G06 a key’s invitation is a membership at once', async ({ ann, bob, cem, key: { http, node } }) => {
  const team = await teamOf(ann);
  expect(await joined(team, bob, ['dev', 'dev'])).toEqual({
    ...{ $id: expect.any(String), $createdAt: DATE, $updatedAt: DATE, invited: DATE, joined: DATE },
    ...{ userId: bob.id, userName: '', userEmail: bob.email, userPhone: '', teamId: team.id, teamName: 'A team' },
    ...{ confirm: true, mfa: false, userAccessedAt: '', roles: ['dev', 'dev'] },
  });
  expect(await totalOf(team, bob)).toBe(2);
  await refused(CONFIRMED, http.post(team.memberships, { userId: bob.id, roles: ['dev'] }));
  const sdk = await node.teams.createMembership({ teamId: team.id, email: cem.email, roles: [] });
  expect(sdk).toMatchObject({ userId: cem.id, confirm: true, roles: [] });
});

test('G07 a key’s invitation of nobody, or of two at once, is refused', async ({ ann, bob, key: { http } }) => {
  const team = await teamOf(ann);
  const invite = (body: Record<string, unknown>) => http.post(team.memberships, { roles: [], ...body });
  await refused(error(404, 'user_not_found'), invite({ userId: 'nobody' }));
  await refused(NOT_FOUND, http.post('/teams/unknown/memberships', { userId: bob.id, roles: [] }));
  await refused({ ...INVALID, message: 'At least one of userId, email, or phone is required' }, invite({}));
  await refused(absent('roles'), http.post(team.memberships, { userId: bob.id }));
  await refused(invalid('email'), invite({ email: 'nope' }));
  await refused(invalid('url', UNREGISTERED), invite({ userId: bob.id, url: 'https://evil.test/join' }));
  await refused(error(409, 'user_already_exists'), invite({ userId: bob.id, email: ann.email }));
});

test('G08 a key’s invitation of a new address makes the user', async ({ ann, key: { http } }) => {
  const team = await teamOf(ann);
  const [plain, named] = [freshEmail(), freshEmail()];
  const invite = async (body: Record<string, unknown>) => {
    const made = await http.post(team.memberships, { roles: [], ...body }).json<Models.Membership>(201);
    forget(made.userId);
    return made;
  };
  expect(await invite({ email: plain.toUpperCase() })).toMatchObject({ userEmail: plain, userName: plain });
  const { userId: id } = await invite({ email: named, name: 'Nan' });
  const user = { name: 'Nan', email: named, passwordUpdate: '', accessedAt: '' };
  expect(await http.get(`/users/${id}`).json()).toMatchObject(user);
  const own = await anotherSession({ server: server(), id, email: named });
  await own.http.patch('/account/password', { password: 'a new password' }).is(200);
});

const accept = (by: Http, team: { path: string }, membershipId: string, body: Record<string, unknown>) =>
  by.patch(`${team.path}/memberships/${membershipId}/status`, body);

const BAD_SECRET = error(401, 'team_invalid_secret');

test('G09 an owner’s invitation goes by mail and waits', async ({ mailing }) => {
  const [u, v, w] = await people(mailing);
  const team = await teamOf(u, { name: 'Röd & blå' });
  const url = `${PAGE}?from=mail#top`;
  const { membership, parameters, link } = await invited(team, u, v.email.toUpperCase(), { url });
  expect(membership).toMatchObject({ userId: v.id, userEmail: v.email, confirm: false, joined: '', roles: ['editor'] });
  expect(parameters).toEqual({
    ...{ from: 'mail', membershipId: membership.$id, userId: v.id, teamId: team.id, teamName: 'Röd & blå' },
    secret: expect.stringMatching(/^[0-9a-f]{256}$/),
  });
  expect(link.href.endsWith('#top')).toBe(true);
  expect(await totalOf(team, u)).toBe(1);
  const invite = (by: Http, email: string) => by.post(team.memberships, { email, roles: [], url: PAGE });
  const withoutUrl = u.http.post(team.memberships, { email: w.email, roles: [] });
  await refused({ ...INVALID, message: 'URL is required' }, withoutUrl);
  await refused(NOT_FOUND, invite(w.http, w.email), invite(v.http, w.email));
  await joined(team, w);
  const message = 'User is not allowed to send invitations for this team';
  await refused({ ...NOT_OWNER, message }, invite(w.http, freshEmail()));
  await refused(CONFIRMED, invite(u.http, w.email), invite(u.http, u.email));
});

test('G10 an open invitation gives no rights; a second one replaces its secret', async ({ mailing }) => {
  const [u, v] = await people(mailing);
  const team = await teamOf(u);
  const { membership, parameters } = await invited(team, u, v.email);
  await refused(NOT_FOUND, v.http.get(team.path), v.http.get(team.memberships));
  expect(await v.http.get('/teams').json()).toMatchObject({ total: 0 });
  const { memberships } = await u.http.get(team.memberships).json<Models.MembershipList>();
  expect(memberships.map(({ $id, confirm }) => [$id, confirm])).toContainEqual([membership.$id, false]);
  const second = await invited(team, u, v.email, { roles: ['other'] });
  expect(second.membership).toMatchObject({ $id: membership.$id, roles: ['editor'], confirm: false });
  const use = ({ secret }: Record<string, string>) => accept(v.http, team, membership.$id, { userId: v.id, secret });
  await refused(BAD_SECRET, use(parameters));
  await use(second.parameters).is(200);
  await v.http.get(team.path).is(200);
});

test('G11 an invitation is accepted by whom it is for, once', async ({ mailing }) => {
  const [u, v, w] = await people(mailing);
  const [team, other] = [await teamOf(u), await teamOf(u)];
  const { membership, parameters } = await invited(team, u, v.email);
  const { $id: id } = membership;
  const good = { userId: v.id, secret: parameters.secret };
  const stranger = error(401, 'team_invite_mismatch');
  await refused(MISSING, accept(v.http, team, 'unknown', good));
  await refused(NOT_FOUND, v.http.patch(`/teams/unknown/memberships/${id}/status`, good));
  await refused(MISMATCH, accept(v.http, other, id, good));
  await refused(BAD_SECRET, accept(v.http, team, id, { ...good, secret: 'wrong' }));
  const message = `Invite does not belong to current user (${v.email})`;
  await refused({ ...stranger, message }, accept(v.http, team, id, { ...good, userId: w.id }));
  await refused(stranger, accept(w.http, team, id, good));
  await refused(MISSING_SCOPE, accept(keyOf(mailing).http, team, id, good));
  const answer = await accept(v.http, team, id, good).is(200);
  expect(answer.json()).toMatchObject({ $id: id, userId: v.id, confirm: true, roles: ['editor'] });
  expect(answer.cookies).toEqual([]);
  expect(await totalOf(team, u)).toBe(2);
  expect(await v.http.get('/account').json()).toMatchObject({ emailVerification: true });
  await refused(CONFIRMED, accept(v.http, team, id, good));
});

test('G12 a guest who accepts is signed in', async ({ mailing }) => {
  const [u] = await people(mailing);
  const [team, email] = [await teamOf(u), freshEmail()];
  const { membership, parameters } = await invited(team, u, email, { name: 'Nan' });
  forget(membership.userId, mailing);
  const body = { userId: membership.userId, secret: parameters.secret };
  const answer = await accept(guestOf(mailing).http, team, membership.$id, body).is(200);
  expect(answer.json()).toMatchObject({ confirm: true, userName: 'Nan', userEmail: email });
  const name = cookieName(mailing);
  expect(answer.cookie(`${name}_legacy`)?.value).toBe(answer.cookie(name)?.value);
  expect(answer.header('x-fallback-cookies')).toContain(`a_session_${mailing.projectId}`);
  const own = signedIn(answer, mailing);
  expect(await own.get('/account').json()).toMatchObject({ name: 'Nan', emailVerification: true });
  const session = { provider: 'email', factors: ['email'], current: true };
  expect(await own.get('/account/sessions/current').json()).toMatchObject(session);
});

test('G13 an invitation can be revoked, and confirmed by key', async ({ mailing }) => {
  const [u, v, w] = await people(mailing);
  const team = await teamOf(u);
  const revoked = await invited(team, u, v.email);
  await u.http.delete(team.membership(revoked.membership.$id)).is(204);
  const body = { userId: v.id, secret: revoked.parameters.secret };
  await refused(MISSING, accept(v.http, team, revoked.membership.$id, body));
  expect(await totalOf(team, u)).toBe(1);
  const open = await invited(team, u, w.email, { roles: ['asked'] });
  const confirmed = await joined(team, w, ['given']);
  expect(confirmed).toMatchObject({ $id: open.membership.$id, confirm: true, roles: ['asked'] });
  await w.http.get(team.path).is(200);
});

test('G14 owners and keys change roles, which count on the next request', async ({ ann, bob, cem, key }) => {
  const [team, other] = [await teamOf(ann), await teamOf(ann)];
  const [mine, foreign] = [await joined(team, bob), await joined(other, bob)];
  const second = await joined(team, cem);
  const change = (roles: unknown, id = mine.$id, by = ann.http) => by.patch(team.membership(id), { roles });
  const renames = () => bob.http.put(team.path, { name: 'By Bob' });
  const message = 'User is not allowed to modify roles';
  await refused({ ...NOT_OWNER, message }, change(['owner'], mine.$id, bob.http), change(['x'], second.$id, bob.http));
  expect(await change(['a', 'a']).json()).toMatchObject({ $id: mine.$id, userId: bob.id, roles: ['a', 'a'] });
  await refused(NOT_OWNER, renames());
  expect(await change(['owner'], mine.$id, key.http).json()).toMatchObject({ roles: ['owner'] });
  await renames().is(200);
  expect(await change([]).json()).toMatchObject({ roles: [] });
  await refused(NOT_OWNER, renames());
  await refused(MISSING, change(['a'], 'unknown'));
  await refused(MISMATCH, change(['a'], foreign.$id));
  await refused(absent('roles'), ann.http.patch(team.membership(mine.$id), {}));
});

test('G15 members leave, owners remove them', async ({ ann, bob, cem }) => {
  const [team, other] = [await teamOf(ann), await teamOf(ann)];
  const [bobs, cems, foreign] = [await joined(team, bob), await joined(team, cem), await joined(other, bob)];
  const remove = (id: string, by = ann.http) => by.delete(team.membership(id));
  await refused(NOT_OWNER, remove(cems.$id, bob.http));
  expect(await totalOf(team, ann)).toBe(3);
  await remove(bobs.$id, bob.http).is(204);
  expect(await totalOf(team, ann)).toBe(2);
  await ann.web.teams.deleteMembership({ teamId: team.id, membershipId: cems.$id });
  expect(await totalOf(team, ann)).toBe(1);
  for (const { http } of [bob, cem]) await refused(NOT_FOUND, http.get(team.path));
  const gone = error(404, 'team_invite_not_found', 'The requested team invitation could not be found.');
  await refused(gone, remove('unknown'), remove(bobs.$id));
  await refused(MISMATCH, remove(foreign.$id));
});

test('G16 the last owner may drop the role and leave', async ({ ann, bob, key: { http } }) => {
  const team = await teamOf(ann);
  await joined(team, bob);
  const { memberships } = await http.get(team.memberships).json<Models.MembershipList>();
  const own = team.membership(memberships.find(({ userId }) => userId === ann.id)?.$id ?? '');
  await ann.http.patch(own, { roles: [] }).is(200);
  await refused(NOT_OWNER, ann.http.put(team.path, { name: 'x' }), ann.http.delete(team.path));
  await ann.http.delete(own).is(204);
  expect(await totalOf(team, bob)).toBe(1);
  await http.put(team.path, { name: 'By key' }).is(200);
});

test('G17 members see each other as far as the project’s policy says', async ({ ann, bob, key: { http } }) => {
  const team = await teamOf(ann);
  const { $id } = await joined(team, bob);
  const blank = { userId: '', userName: '', userEmail: '', userPhone: '', mfa: false, userAccessedAt: '' };
  const full = { userId: bob.id, userEmail: bob.email };
  const listed = async (by: Http) =>
    (await by.get(team.memberships).json<Models.MembershipList>()).memberships.find((one) => one.$id === $id);
  for (const by of [ann.http, bob.http, http]) {
    const seen = by === http ? full : blank;
    expect(await by.get(team.membership($id)).json()).toMatchObject(seen);
    expect(await listed(by)).toMatchObject(seen);
  }
  expect(await ann.http.patch(team.membership($id), { roles: ['a'] }).json()).toMatchObject(full);
  const policy = '/project/policies/membership-privacy';
  for (const shown of [true, false]) {
    await http.patch(policy, { userId: shown, userEmail: shown, userName: shown, userPhone: shown }).is(200);
    expect(await http.get(policy).json()).toMatchObject({ userId: shown, userEmail: shown });
    expect(await listed(ann.http)).toMatchObject(shown ? full : blank);
  }
});

test('G25 a key lists the memberships of a user', async ({ ann, bob, key: { http, node } }) => {
  const [first, second] = [await teamOf(ann), await teamOf(ann)];
  await joined(first, bob, ['a']);
  const last = await joined(second, bob, ['b']);
  const path = `/users/${bob.id}/memberships`;
  const oldest = { teamId: first.id, teamName: 'A team', userId: bob.id, userEmail: bob.email, roles: ['a'] };
  const memberships = [oldest, { teamId: second.id, roles: ['b'] }];
  expect(await http.get(path).json()).toMatchObject({ total: 2, memberships });
  const queries = [JSON.stringify({ method: 'equal', attribute: 'teamId', values: [second.id] })];
  const filtered = await node.users.listMemberships({ userId: bob.id, queries });
  expect(filtered).toMatchObject({ total: 1, memberships: [{ $id: last.$id }] });
  await refused(NO_USER, http.get('/users/nobody/memberships'));
  await refused(MISSING_SCOPE, bob.http.get(path));
  await http.delete(`/users/${bob.id}`).is(204);
  // Appwrite removes the memberships in a background worker.
  await expect.poll(() => totalOf(first, ann)).toBe(1);
});
