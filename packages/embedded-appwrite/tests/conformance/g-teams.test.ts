/** G: teams (contract, part 2, 6). */
import { type Models, Query } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { DATE, invalid, MISSING_SCOPE, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh } from './names.ts';
import { admin, guest, person } from './people.ts';
import { joined, NOT_FOUND, NOT_OWNER, teamAt, teamOf } from './teams.ts';

line('G01', 'a user makes a team and owns it', async () => {
  const u = await person(server());
  const { http } = admin(server());
  const [raw, sdk] = [fresh('team'), fresh('team')];
  for (const id of [raw, sdk]) later(() => http.delete(`/teams/${id}`));
  const body = { teamId: raw, name: 'Crew', roles: ['dev'] };
  const team = (await u.http.post('/teams', body)).is(201).json<Models.Team>();
  expect(team).toEqual({
    $id: raw,
    $createdAt: expect.stringMatching(DATE),
    $updatedAt: expect.stringMatching(DATE),
    name: 'Crew',
    total: 1,
    prefs: {},
  });
  expect(await u.web.teams.create({ teamId: sdk, name: 'Crew' })).toMatchObject({ $id: sdk, total: 1 });
  const members = (await http.get(`/teams/${raw}/memberships`)).is(200).json<Models.MembershipList>();
  expect(members.memberships).toMatchObject([{ userId: u.id, confirm: true, roles: ['dev', 'owner'] }]);
  await refused(MISSING_SCOPE, guest(server()).http.post('/teams', { teamId: fresh('team'), name: 'x' }));
  await refused({ code: 409, type: 'team_already_exists' }, u.http.post('/teams', body), http.post('/teams', body));
  const id = fresh('team');
  await refused(invalid('name'), u.http.post('/teams', { teamId: id, name: '' }));
  await refused(invalid('name'), u.http.post('/teams', { teamId: id, name: 'x'.repeat(129) }));
  await refused(
    { code: 400, type: 'general_argument_invalid', message: 'Param "name" is not optional.' },
    u.http.post('/teams', { teamId: id }),
  );
  await refused(invalid('teamId'), u.http.post('/teams', { teamId: '_x', name: 'x' }));
});

line('G02', 'a team that a key makes has no members', async () => {
  const { http, node } = admin(server());
  const id = fresh('team');
  later(() => http.delete(`/teams/${id}`));
  expect(await node.teams.create({ teamId: id, name: 'Crew' })).toMatchObject({ $id: id, total: 0 });
  expect((await http.get(`/teams/${id}/memberships`)).is(200).json()).toEqual({ total: 0, memberships: [] });
});

line('G03', 'whoever is no member does not find a team', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const [prefs, name] = [{ prefs: { a: 1 } }, { name: 'Mine' }];
  await refused(
    NOT_FOUND,
    v.http.get(team.path),
    v.http.put(team.path, name),
    v.http.delete(team.path),
    v.http.get(`${team.path}/prefs`),
    v.http.put(`${team.path}/prefs`, prefs),
    v.http.get(team.memberships),
    v.web.teams.get({ teamId: team.id }),
    u.http.get('/teams/unknown'),
    admin(server()).http.get('/teams/unknown'),
  );
  const stranger = guest(server()).http;
  await refused(MISSING_SCOPE, stranger.get('/teams'), stranger.get(team.path), stranger.delete(team.path));
  expect((await v.http.get('/teams')).is(200).json()).toEqual({ total: 0, teams: [] });
  expect((await u.web.teams.list()).teams.map(({ $id }) => $id)).toEqual([team.id]);
});

line('G04', 'owners rename, delete and set preferences; members read', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  await joined(server(), team, v, ['dev']);
  expect((await u.http.put(team.path, { name: 'Renamed' })).is(200).json()).toMatchObject({ name: 'Renamed' });
  expect(await v.web.teams.get({ teamId: team.id })).toMatchObject({ name: 'Renamed', total: 2 });
  await refused(
    NOT_OWNER,
    v.http.put(team.path, { name: 'x' }),
    v.http.delete(team.path),
    v.web.teams.updateName({ teamId: team.id, name: 'x' }),
  );
  // Writing unchanged preferences requires only the right to read.
  expect((await v.http.put(`${team.path}/prefs`, { prefs: {} })).is(200).json()).toEqual({});
  const change = (prefs: unknown) => u.http.put(`${team.path}/prefs`, { prefs });
  expect((await change({ a: 1, deep: { b: [2] } })).is(200).json()).toEqual({ a: 1, deep: { b: [2] } });
  expect((await change({ c: 3 })).is(200).json()).toEqual({ c: 3 });
  if (server().embedded) await refused(NOT_OWNER, v.http.put(`${team.path}/prefs`, { prefs: { mine: 1 } }));
  expect(await v.web.teams.getPrefs({ teamId: team.id })).toEqual({ c: 3 });
  expect((await change([])).is(200).json()).toEqual({});
  await refused(invalid('prefs'), change('text'), change(['a']), change('x'.repeat(70_000)));
  (await u.http.delete(team.path)).is(204);
  await refused(NOT_FOUND, u.http.get(team.path));
});

line('G05', 'role names have a length, a character set and a number', async () => {
  const u = await person(server());
  const { http } = admin(server());
  const create = (roles: unknown) => u.http.post('/teams', { teamId: fresh('team'), name: 'x', roles });
  const team = await teamOf(server(), u, { roles: ['a', 'x'.repeat(36), 'A.b_c-9'] });
  await refused(
    invalid('roles'),
    ...['x'.repeat(37), '', '-a', '_a', 'a b', 'ä', 'a/b'].map((role) => create([role])),
    create('owner'),
    create(Array.from({ length: 101 }, (_, i) => `r${i}`)),
  );
  const list = (await http.get(team.memberships)).is(200).json<Models.MembershipList>();
  const change = (roles: unknown) => http.patch(team.membership(list.memberships[0]?.$id ?? ''), { roles });
  (await change(['x'.repeat(81)])).is(200);
  (await change(Array.from({ length: 100 }, (_, i) => `r${i}`))).is(200);
  await refused(
    {
      ...invalid('roles'),
      message:
        /^Invalid `roles` param: Value must a valid array no longer than 100 items and Parameter must contain at most 81 chars\./,
    },
    change(['x'.repeat(82)]),
    change(['a b']),
    change('owner'),
    change(Array.from({ length: 101 }, (_, i) => `r${i}`)),
  );
});

line('G26', 'lists are ordered, filtered, searched and paged', async () => {
  const u = await person(server());
  const { http, node } = admin(server());
  const mark = fresh('crew').replaceAll('-', '');
  const teams = [];
  for (const name of ['b', 'c', 'a']) teams.push(await teamOf(server(), u, { name: `${mark} ${name}` }));
  const ids = async (...queries: string[]) =>
    (await u.http.get('/teams', { query: { queries } }))
      .is(200)
      .json<Models.TeamList>()
      .teams.map(({ $id }) => $id);
  const [b, c, a] = teams.map(({ id }) => id);
  expect(await ids()).toEqual([b, c, a]);
  expect(await ids(Query.orderAsc('name'))).toEqual([a, b, c]);
  expect(await ids(Query.equal('name', `${mark} c`))).toEqual([c]);
  expect(await ids(Query.orderAsc('name'), Query.cursorAfter(a ?? ''))).toEqual([b, c]);
  expect(await ids(Query.orderAsc('name'), Query.cursorBefore(c ?? ''), Query.limit(1))).toEqual([b]);
  expect(await ids(Query.equal('total', 1), Query.limit(2), Query.offset(1))).toEqual([c, a]);
  const search = async (words: string) =>
    (await node.teams.list({ search: words, queries: [Query.orderAsc('name')] })).teams.map(({ $id }) => $id);
  expect(await search(`${mark} none`)).toEqual([a, b, c]);
  expect(await search(mark.slice(1))).toEqual([]);
  const path = teamAt(a ?? '').memberships;
  const others = [await person(server()), await person(server())];
  for (const who of others) await joined(server(), teamAt(a ?? ''), who);
  const users = async (...queries: string[]) =>
    (await http.get(path, { query: { queries } }))
      .is(200)
      .json<Models.MembershipList>()
      .memberships.map(({ userId }) => userId);
  expect(await users(Query.orderDesc('$createdAt'), Query.limit(2))).toEqual([others[1]?.id, others[0]?.id]);
  expect(await users(Query.equal('userId', others[0]?.id ?? ''))).toEqual([others[0]?.id]);
  expect(await users(Query.equal('confirm', false))).toEqual([]);
  const unknown = { queries: [Query.equal('zzz', 'x')] };
  const attribute = {
    ...invalid('queries'),
    message: /^Invalid `queries` param: Invalid query: Attribute not found in schema: zzz/,
  };
  await refused(attribute, u.http.get('/teams', { query: unknown }), http.get(path, { query: unknown }));
  const cursor = { query: { queries: [Query.cursorAfter('nothing')] } };
  const missing = (noun: string) => ({
    code: 400,
    type: 'general_cursor_not_found',
    message: `${noun} 'nothing' for the 'cursor' value not found.`,
  });
  await refused(missing('Team'), u.http.get('/teams', cursor));
  await refused(missing('Membership'), http.get(path, cursor));
});
