/** G: members by key, their roles and their visibility (contract, part 2, 6). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { DATE, invalid, MISSING_SCOPE, refused } from './expect.ts';
import { Http } from './http.ts';
import { line, server } from './line.ts';
import { freshEmail } from './names.ts';
import { admin, person } from './people.ts';
import { joined, NOT_FOUND, NOT_OWNER, teamOf } from './teams.ts';

const CONFIRMED = { code: 409, type: 'membership_already_confirmed', message: 'Membership is already confirmed.' };
const MISSING = {
  code: 404,
  type: 'membership_not_found',
  message: 'Membership with the requested ID could not be found.',
};
const MISMATCH = {
  code: 404,
  type: 'team_membership_mismatch',
  message: 'The membership ID does not belong to the team ID.',
};

line('G06', 'a key’s invitation is a membership at once', async () => {
  const [u, v, w] = [await person(server()), await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { http, node } = admin(server());
  const membership = await joined(server(), team, v, ['dev', 'dev']);
  expect(membership).toEqual({
    $id: expect.any(String),
    $createdAt: expect.stringMatching(DATE),
    $updatedAt: expect.stringMatching(DATE),
    userId: v.id,
    userName: '',
    userEmail: v.email,
    userPhone: '',
    teamId: team.id,
    teamName: 'A team',
    invited: expect.stringMatching(DATE),
    joined: expect.stringMatching(DATE),
    confirm: true,
    mfa: false,
    userAccessedAt: '',
    roles: ['dev', 'dev'],
  });
  expect((await v.http.get(team.path)).is(200).json()).toMatchObject({ total: 2 });
  const again = { userId: v.id, roles: ['dev'] };
  await refused(
    CONFIRMED,
    http.post(team.memberships, again),
    node.teams.createMembership({ teamId: team.id, ...again }),
  );
  expect(await node.teams.createMembership({ teamId: team.id, email: w.email, roles: [] })).toMatchObject({
    userId: w.id,
    confirm: true,
    roles: [],
  });
});

line('G07', 'a key’s invitation of nobody, or of two at once, is refused', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { http } = admin(server());
  const invite = (body: Record<string, unknown>) => http.post(team.memberships, { roles: [], ...body });
  await refused({ code: 404, type: 'user_not_found' }, invite({ userId: 'nobody' }));
  await refused(NOT_FOUND, http.post('/teams/unknown/memberships', { userId: v.id, roles: [] }));
  await refused(
    {
      code: 400,
      type: 'general_argument_invalid',
      message: 'At least one of userId, email, or phone is required',
    },
    invite({}),
  );
  await refused(
    { code: 400, type: 'general_argument_invalid', message: 'Param "roles" is not optional.' },
    http.post(team.memberships, { userId: v.id }),
  );
  await refused(invalid('email'), invite({ email: 'nope' }));
  await refused(
    invalid(
      'url',
      'Invalid URI. Register your new client (evil.test) as a new Web platform on your project console dashboard',
    ),
    invite({ userId: v.id, url: 'https://evil.test/join' }),
  );
  await refused({ code: 409, type: 'user_already_exists' }, invite({ userId: v.id, email: u.email }));
});

line('G08', 'a key’s invitation of a new address makes the user', async () => {
  const u = await person(server());
  const team = await teamOf(server(), u);
  const { http } = admin(server());
  const [plain, named] = [freshEmail(), freshEmail()];
  const invite = async (body: Record<string, unknown>) => {
    const made = (await http.post(team.memberships, { roles: [], ...body })).is(201).json<Models.Membership>();
    later(() => http.delete(`/users/${made.userId}`));
    return made;
  };
  expect(await invite({ email: plain.toUpperCase() })).toMatchObject({ userEmail: plain, userName: plain });
  const { userId } = await invite({ email: named, name: 'Nan' });
  const user = (await http.get(`/users/${userId}`)).is(200).json<Models.User>();
  expect(user).toMatchObject({ name: 'Nan', email: named, passwordUpdate: '', accessedAt: '' });
  const { secret } = (await http.post(`/users/${userId}/sessions`)).is(201).json<Models.Session>();
  const own = Http.to(server(), { 'x-appwrite-session': secret });
  (await own.patch('/account/password', { password: 'a new password' })).is(200);
});

line('G14', 'owners and keys change roles, which count on the next request', async () => {
  const [u, v, w] = [await person(server()), await person(server()), await person(server())];
  const [team, other] = [await teamOf(server(), u), await teamOf(server(), u)];
  const [mine, foreign] = [await joined(server(), team, v), await joined(server(), other, v)];
  const second = await joined(server(), team, w);
  const change = (roles: unknown, id = mine.$id, by = u.http) => by.patch(team.membership(id), { roles });
  await refused(
    { ...NOT_OWNER, message: 'User is not allowed to modify roles' },
    change(['owner'], mine.$id, v.http),
    v.web.teams.updateMembership({ teamId: team.id, membershipId: second.$id, roles: ['x'] }),
  );
  expect((await change(['a', 'a'])).is(200).json()).toMatchObject({ $id: mine.$id, userId: v.id, roles: ['a', 'a'] });
  await refused(NOT_OWNER, v.http.put(team.path, { name: 'x' }));
  expect((await change(['owner'], mine.$id, admin(server()).http)).is(200).json()).toMatchObject({ roles: ['owner'] });
  (await v.http.put(team.path, { name: 'By v' })).is(200);
  expect((await change([])).is(200).json()).toMatchObject({ roles: [] });
  await refused(NOT_OWNER, v.http.put(team.path, { name: 'x' }));
  await refused(MISSING, change(['a'], 'unknown'));
  await refused(MISMATCH, change(['a'], foreign.$id));
  await refused(
    { code: 400, type: 'general_argument_invalid', message: 'Param "roles" is not optional.' },
    u.http.patch(team.membership(mine.$id), {}),
  );
});

line('G15', 'members leave, owners remove them', async () => {
  const [u, v, w] = [await person(server()), await person(server()), await person(server())];
  const [team, other] = [await teamOf(server(), u), await teamOf(server(), u)];
  const [ofV, ofW] = [await joined(server(), team, v), await joined(server(), team, w)];
  const foreign = await joined(server(), other, v);
  const total = async () => (await u.http.get(team.path)).is(200).json<Models.Team>().total;
  await refused(NOT_OWNER, v.http.delete(team.membership(ofW.$id)));
  expect(await total()).toBe(3);
  (await v.http.delete(team.membership(ofV.$id))).is(204);
  expect(await total()).toBe(2);
  await refused(NOT_FOUND, v.http.get(team.path));
  await u.web.teams.deleteMembership({ teamId: team.id, membershipId: ofW.$id });
  expect(await total()).toBe(1);
  await refused(NOT_FOUND, w.http.get(team.path));
  await refused(
    {
      code: 404,
      type: 'team_invite_not_found',
      message: 'The requested team invitation could not be found.',
    },
    u.http.delete(team.membership('unknown')),
    u.http.delete(team.membership(ofV.$id)),
  );
  await refused(MISMATCH, u.http.delete(team.membership(foreign.$id)));
});

line('G16', 'the last owner may drop the role and leave', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  await joined(server(), team, v);
  const { http } = admin(server());
  const members = (await http.get(team.memberships)).is(200).json<Models.MembershipList>().memberships;
  const own = members.find(({ userId }) => userId === u.id)?.$id ?? '';
  (await u.http.patch(team.membership(own), { roles: [] })).is(200);
  await refused(NOT_OWNER, u.http.put(team.path, { name: 'x' }), u.http.delete(team.path));
  (await u.http.delete(team.membership(own))).is(204);
  expect((await v.http.get(team.path)).is(200).json()).toMatchObject({ total: 1 });
  (await http.put(team.path, { name: 'By key' })).is(200);
});

line('G17', 'members see each other as far as the project’s policy says', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const { $id } = await joined(server(), team, v);
  const { http } = admin(server());
  const blank = { userId: '', userName: '', userEmail: '', userPhone: '', mfa: false, userAccessedAt: '' };
  const full = { userId: v.id, userEmail: v.email };
  const listed = async (by: typeof http) => {
    const { memberships } = (await by.get(team.memberships)).is(200).json<Models.MembershipList>();
    return memberships.find((membership) => membership.$id === $id);
  };
  for (const who of [u, v]) {
    expect((await who.http.get(team.membership($id))).is(200).json()).toMatchObject(blank);
    expect(await listed(who.http)).toMatchObject(blank);
  }
  expect((await http.get(team.membership($id))).is(200).json()).toMatchObject(full);
  expect(await listed(http)).toMatchObject(full);
  expect((await u.http.patch(team.membership($id), { roles: ['a'] })).is(200).json()).toMatchObject(full);
  const policy = '/project/policies/membership-privacy';
  const set = async (shown: boolean) =>
    (await http.patch(policy, { userId: shown, userEmail: shown, userName: shown, userPhone: shown })).is(200);
  await set(true);
  expect((await http.get(policy)).is(200).json()).toMatchObject({ userId: true, userEmail: true });
  expect(await listed(u.http)).toMatchObject(full);
  await set(false);
  expect(await listed(u.http)).toMatchObject(blank);
});

line('G25', 'a key lists the memberships of a user', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const [first, second] = [await teamOf(server(), u), await teamOf(server(), u)];
  await joined(server(), first, v, ['a']);
  const later = await joined(server(), second, v, ['b']);
  const { http, node } = admin(server());
  const path = `/users/${v.id}/memberships`;
  const all = (await http.get(path)).is(200).json<Models.MembershipList>();
  expect(all.total).toBe(2);
  expect(all.memberships).toMatchObject([
    { teamId: first.id, teamName: 'A team', userId: v.id, userEmail: v.email, roles: ['a'] },
    { teamId: second.id, roles: ['b'] },
  ]);
  const queries = [JSON.stringify({ method: 'equal', attribute: 'teamId', values: [second.id] })];
  expect(await node.users.listMemberships({ userId: v.id, queries })).toMatchObject({
    total: 1,
    memberships: [{ $id: later.$id }],
  });
  await refused({ code: 404, type: 'user_not_found' }, http.get('/users/nobody/memberships'));
  await refused(MISSING_SCOPE, v.http.get(path));
  (await http.delete(`/users/${v.id}`)).is(204);
  // A background worker of a real server removes the memberships.
  await expect.poll(async () => (await u.http.get(first.path)).is(200).json<Models.Team>().total).toBe(1);
});
