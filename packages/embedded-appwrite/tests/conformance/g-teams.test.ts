/** G: teams, from creation to deletion (contract part 2, section 6). */
import { type Models, Query } from 'node-appwrite';
import { later } from './cleanup.ts';
import { absent, DATE, error, invalid, MISSING_SCOPE, refused } from './expect.ts';
import { expect, test } from './kit.ts';
import { proofTo } from './mailbox.ts';
import { fresh } from './names.ts';
import { keyOf, person } from './people.ts';
import { browser } from './sdk.ts';
import { joined, mailServerIfAny, NOT_FOUND, NOT_OWNER, PAGE, teamAt, teamOf } from './teams.ts';

test('G01 a user makes a team and owns it', async ({ ann, guest, key }) => {
  const [raw, sdk] = [fresh('team'), fresh('team')];
  for (const id of [raw, sdk]) later(() => key.http.delete(`/teams/${id}`));
  const body = { teamId: raw, name: 'Crew', roles: ['dev'] };
  const create = (body: Record<string, unknown>, by = ann.http) => by.post('/teams', body);
  const made = { $id: raw, $createdAt: DATE, $updatedAt: DATE, name: 'Crew', total: 1, prefs: {} };
  expect(await create(body).json(201)).toEqual(made);
  expect(await ann.web.teams.create({ teamId: sdk, name: 'Crew' })).toMatchObject({ $id: sdk, total: 1 });
  const { memberships } = await key.http.get(`/teams/${raw}/memberships`).json<Models.MembershipList>();
  expect(memberships).toMatchObject([{ userId: ann.id, confirm: true, roles: ['dev', 'owner'] }]);
  const teamId = fresh('team');
  await refused(MISSING_SCOPE, create({ teamId, name: 'x' }, guest.http));
  await refused(error(409, 'team_already_exists'), create(body), create(body, key.http));
  await refused(invalid('name'), create({ teamId, name: '' }), create({ teamId, name: 'x'.repeat(129) }));
  await refused(absent('name'), create({ teamId }));
  await refused(invalid('teamId'), create({ teamId: '_x', name: 'x' }));
});

test('G02 a team that a key makes has no members', async ({ key: { http, node } }) => {
  const { id, path, memberships } = teamAt(fresh('team'));
  later(() => http.delete(path));
  expect(await node.teams.create({ teamId: id, name: 'Crew' })).toMatchObject({ $id: id, total: 0 });
  expect(await http.get(memberships).json()).toEqual({ total: 0, memberships: [] });
});

test('G03 whoever is no member does not find a team', async ({ ann, bob, guest, key }) => {
  const team = await teamOf(ann);
  await refused(
    NOT_FOUND,
    ...[team.path, `${team.path}/prefs`, team.memberships].map((path) => bob.http.get(path)),
    bob.http.put(team.path, { name: 'Mine' }),
    bob.http.delete(team.path),
    bob.http.put(`${team.path}/prefs`, { prefs: { a: 1 } }),
    bob.web.teams.get({ teamId: team.id }),
    ...[ann, key].map(({ http }) => http.get('/teams/unknown')),
  );
  const { http } = guest;
  await refused(MISSING_SCOPE, http.get('/teams'), http.get(team.path), http.delete(team.path));
  expect(await bob.http.get('/teams').json()).toEqual({ total: 0, teams: [] });
  expect((await ann.web.teams.list()).teams.map(({ $id }) => $id)).toEqual([team.id]);
});

test('G04 owners rename, delete and set preferences; members read', async ({ ann, bob, key }) => {
  const team = await teamOf(ann);
  await joined(team, bob, ['dev']);
  const prefs = `${team.path}/prefs`;
  expect(await ann.http.put(team.path, { name: 'Renamed' }).json()).toMatchObject({ name: 'Renamed' });
  expect(await bob.web.teams.get({ teamId: team.id })).toMatchObject({ name: 'Renamed', total: 2 });
  await refused(NOT_OWNER, bob.http.put(team.path, { name: 'x' }), bob.http.delete(team.path));
  // Writing unchanged preferences requires only read access.
  expect(await bob.http.put(prefs, { prefs: {} }).json()).toEqual({});
  const change = (prefs: unknown) => ann.http.put(`${team.path}/prefs`, { prefs });
  for (const given of [{ a: 1, deep: { b: [2] } }, { c: 3 }]) expect(await change(given).json()).toEqual(given);
  if (team.server.embedded) await refused(NOT_OWNER, bob.http.put(prefs, { prefs: { mine: 1 } }));
  expect(await bob.web.teams.getPrefs({ teamId: team.id })).toEqual({ c: 3 });
  expect(await change([]).json()).toEqual({});
  await refused(invalid('prefs'), change('text'), change(['a']), change('x'.repeat(70_000)));
  await ann.http.delete(team.path).is(204);
  await refused(NOT_FOUND, ann.http.get(team.path), key.http.get(team.path));
});

test('G05 role names have a length, a character set and a number', async ({ ann, key: { http } }) => {
  const create = (roles: unknown) => ann.http.post('/teams', { teamId: fresh('team'), name: 'x', roles });
  const team = await teamOf(ann, { roles: ['a', 'x'.repeat(36), 'A.b_c-9'] });
  const roles = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);
  const wrong = ['x'.repeat(37), '', '-a', '_a', 'a b', 'ä', 'a/b'].map((role) => create([role]));
  await refused(invalid('roles'), ...wrong, create('owner'), create(roles(101)));
  const { memberships } = await http.get(team.memberships).json<Models.MembershipList>();
  const change = (roles: unknown) => http.patch(team.membership(memberships[0]?.$id ?? ''), { roles });
  for (const good of [['x'.repeat(81)], roles(100)]) await change(good).is(200);
  const rule = /Value must a valid array no longer than 100 items and Parameter must contain at most 81 chars\./;
  await refused(invalid('roles', rule), ...[['x'.repeat(82)], ['a b'], 'owner', roles(101)].map(change));
});

test('G26 lists are ordered, filtered, searched and paged', async ({ ann, bob, cem, key: { http, node } }) => {
  const mark = fresh('crew').replaceAll('-', '');
  const made: string[] = [];
  for (const name of ['b', 'c', 'a']) made.push((await teamOf(ann, { name: `${mark} ${name}` })).id);
  const [b = '', c = '', a = ''] = made;
  const finds = async (expected: string[], ...queries: string[]) => {
    const { teams } = await ann.http.get('/teams', { query: { queries } }).json<Models.TeamList>();
    expect(teams.map(({ $id }) => $id)).toEqual(expected);
  };
  await finds([b, c, a]);
  await finds([a, b, c], Query.orderAsc('name'));
  await finds([c], Query.equal('name', `${mark} c`));
  await finds([b, c], Query.orderAsc('name'), Query.cursorAfter(a));
  await finds([b], Query.orderAsc('name'), Query.cursorBefore(c), Query.limit(1));
  await finds([c, a], Query.equal('total', 1), Query.limit(2), Query.offset(1));
  const search = async (words: string) =>
    (await node.teams.list({ search: words, queries: [Query.orderAsc('name')] })).teams.map(({ $id }) => $id);
  expect(await search(`${mark} none`)).toEqual([a, b, c]);
  expect(await search(mark.slice(1))).toEqual([]);
  const path = teamAt(a).memberships;
  for (const who of [bob, cem]) await joined(teamAt(a), who);
  const lists = async (expected: string[], ...queries: string[]) => {
    const { memberships } = await http.get(path, { query: { queries } }).json<Models.MembershipList>();
    expect(memberships.map(({ userId }) => userId)).toEqual(expected);
  };
  await lists([cem.id, bob.id], Query.orderDesc('$createdAt'), Query.limit(2));
  await lists([bob.id], Query.equal('userId', bob.id));
  await lists([], Query.equal('confirm', false));
  for (const [by, list, noun] of [
    [ann.http, '/teams', 'Team'],
    [http, path, 'Membership'],
  ] as const) {
    const asked = (query: string) => by.get(list, { query: { queries: [query] } });
    await refused(invalid('queries', /Attribute not found in schema: zzz/), asked(Query.equal('zzz', 'x')));
    const missing = `${noun} 'nothing' for the 'cursor' value not found.`;
    await refused(error(400, 'general_cursor_not_found', missing), asked(Query.cursorAfter('nothing')));
  }
});

test('G28 both SDKs and the server’s live with a team from beginning to end', async () => {
  const { where, sendsMail } = mailServerIfAny();
  const { node, http } = keyOf(where);
  const [u, v] = [await person(where), await person(where)];
  for (const release of [27, 28] as const) {
    const [owner, member] = [browser(where, { ...u, release }).teams, browser(where, { ...v, release }).teams];
    const teamId = fresh('team');
    later(() => http.delete(`/teams/${teamId}`));
    expect(await owner.create({ teamId, name: 'Crew', roles: ['lead'] })).toMatchObject({ $id: teamId, total: 1 });
    expect((await owner.list({ search: teamId })).total).toBe(1);
    expect(await owner.updateName({ teamId, name: 'Band' })).toMatchObject({ name: 'Band' });
    expect(await owner.updatePrefs({ teamId, prefs: { colour: 'red' } })).toEqual({ colour: 'red' });
    const invited = sendsMail
      ? await owner.createMembership({ teamId, email: v.email, roles: ['dev'], url: PAGE })
      : await node.teams.createMembership({ teamId, userId: v.id, roles: ['dev'] });
    const membershipId = invited.$id;
    if (sendsMail) {
      const accepted = await member.updateMembershipStatus({ teamId, membershipId, ...(await proofTo(v.email)) });
      expect(accepted).toMatchObject({ confirm: true, roles: ['dev'] });
    }
    expect(await member.get({ teamId })).toMatchObject({ total: 2 });
    expect(await member.getPrefs({ teamId })).toEqual({ colour: 'red' });
    expect((await member.listMemberships({ teamId })).total).toBe(2);
    expect(await owner.updateMembership({ teamId, membershipId, roles: ['ops'] })).toMatchObject({ roles: ['ops'] });
    expect(await node.teams.getMembership({ teamId, membershipId })).toMatchObject({ userId: v.id, roles: ['ops'] });
    expect((await node.users.listMemberships({ userId: v.id })).memberships).toMatchObject([{ teamId }]);
    await member.deleteMembership({ teamId, membershipId });
    await refused(NOT_FOUND, member.get({ teamId }));
    await owner.delete({ teamId });
    await refused(NOT_FOUND, node.teams.get({ teamId }));
  }
});
