/** G: roles from teams and labels, and the events of teams (contract part 2, sections 6.3 and 7). */
import type { Models } from 'node-appwrite';
import { error, FOREIGN_ROLE, invalid, NO_DOCUMENT, NO_FILE, refused, UNAUTHORIZED } from './expect.ts';
import { bucket, stored, upload } from './files.ts';
import type { Http } from './http.ts';
import { expect, test } from './kit.ts';
import { byJwt, jwtOf, keyOf, people } from './people.ts';
import { document, draft, type Row } from './schema.ts';
import { Socket } from './sockets.ts';
import { invited, joined, mailServerIfAny, NOT_FOUND, teamOf } from './teams.ts';
import { hook } from './webhook-receiver.ts';

test('G18 a membership opens what its roles may read, and no longer than it lasts', async ({ ann, bob, key, sec }) => {
  const team = await teamOf(ann);
  const callers = [bob.http, byJwt(await jwtOf(bob))];
  const mark = Math.floor(Math.random() * 1e9);
  const readable = async (role: string) => (await document(sec, { n: mark }, [`read("${role}")`])).$id;
  const ofTeam = await readable(`team:${team.id}`);
  const ofRole = await readable(`team:${team.id}/dev`);
  await readable(`team:${team.id}/other`);
  const query = { queries: [JSON.stringify({ method: 'equal', attribute: 'n', values: [mark] })] };
  const listed = async (by: Http) => {
    const { total, documents } = await by.get(sec.documents, { query }).json<Models.DocumentList>();
    expect(total).toBe(documents.length);
    return documents.map(({ $id }) => $id);
  };
  for (const by of callers) expect(await listed(by)).toEqual([]);
  const { $id } = await joined(team, bob, ['dev']);
  const open = [ofTeam, ofRole, await readable(`member:${$id}`)];
  for (const by of callers) {
    expect(await listed(by)).toEqual(open);
    for (const id of open) await by.get(sec.document(id)).is(200);
  }
  expect(await listed(ann.http)).toEqual([ofTeam]);
  await ann.http.patch(team.membership($id), { roles: [] }).is(200);
  expect(await listed(bob.http)).toEqual([ofTeam, open[2]]);
  await key.http.delete(team.membership($id)).is(204);
  for (const by of callers) {
    expect(await listed(by)).toEqual([]);
    await refused(NO_DOCUMENT, by.get(sec.document(ofTeam)), by.get(sec.document(open[2] ?? '')));
  }
});

test('G19 a user grants the roles he holds, out of those that can exist', async ({ ann, bob, guest, key, sec }) => {
  const team = await teamOf(ann);
  const { $id } = await joined(team, bob, ['dev']);
  const write = (by: Http, role: string) => by.post(sec.documents, draft({}, [`read("${role}")`]));
  for (const role of [`team:${team.id}`, `team:${team.id}/dev`, `member:${$id}`]) await write(bob.http, role).is(201);
  const notHeld = [`team:${team.id}/owner`, 'team:other', 'member:other', 'label:vip'];
  await refused(FOREIGN_ROLE, ...notHeld.map((role) => write(bob.http, role)));
  await refused(UNAUTHORIZED, write(guest.http, `team:${team.id}`));
  for (const [role, text] of [
    ['team', /Role "team" must have an ID value\.(?: or null)?$/],
    ['team:', /Role "team" must have an ID value\.(?: or null)?$/],
    [`team:${'x'.repeat(37)}`, /Role "team" identifier value is invalid: /],
    ['team:t/-x', /Role "team" dimension value is invalid: Parameter must contain at most 81 chars/],
    [`team:t/${'x'.repeat(82)}`, /Role "team" dimension value is invalid: Parameter must contain at most 81 chars/],
    ['team:t/', /Dimension must not be empty(?: or null)?$/],
    ['team:t/a/b', /Only one dimension can be provided(?: or null)?$/],
    ['member:m/x', /Role "member" can not have a dimension value\.(?: or null)?$/],
    ['label:v-ip', /Role "label" identifier value is invalid: Value must be a valid string between 1 and 36 chars/],
    ['label', /Role "label" must have an ID value\.(?: or null)?$/],
  ] as const) {
    await refused(invalid('permissions', text), write(key.http, role));
  }
  await write(key.http, 'team:nobody/knows').is(201);
});

test('G20 team roles open files, and buckets', async ({ ann, bob, cem, guest, key }) => {
  const team = await teamOf(ann);
  await joined(team, bob, ['dev']);
  const where = await bucket({ fileSecurity: true, permissions: [`create("team:${team.id}/dev")`] });
  const file = await stored(key.http, where, { permissions: [`read("team:${team.id}")`] });
  const paths = ['', '/view', '/download'].map((part) => `${where.files}/${file.$id}${part}`);
  for (const { http } of [ann, bob]) {
    for (const path of paths) await http.get(path).is(200);
    expect(await http.get(where.files).json()).toMatchObject({ total: 1 });
  }
  for (const { http } of [cem, guest]) {
    await refused(NO_FILE, ...paths.map((path) => http.get(path)));
    expect(await http.get(where.files).json()).toMatchObject({ total: 0 });
  }
  await upload(bob.http, where, { permissions: [`read("team:${team.id}/dev")`] }).is(201);
  await refused(error(401, 'user_unauthorized'), upload(cem.http, where), upload(ann.http, where));
});

test('G21 a deleted team takes its rights along', async ({ ann, bob, key: { http }, sec }) => {
  const team = await teamOf(ann);
  const { $id } = await joined(team, bob);
  const row = sec.document((await document(sec, {}, [`read("team:${team.id}")`, `read("member:${$id}")`])).$id);
  await bob.http.get(row).is(200);
  await ann.http.delete(team.path).is(204);
  await refused(NO_DOCUMENT, bob.http.get(row), ann.http.get(row));
  for (const { id } of [ann, bob])
    expect(await http.get(`/users/${id}/memberships`).json()).toMatchObject({ total: 0 });
  await refused(NOT_FOUND, ann.http.delete(team.path), http.delete(team.path), http.get(team.memberships));
});

test('U06 G27 labels count on the next request, on sockets opened later', async ({ ann, bob, key, sec }) => {
  const label = (labels: readonly string[]) => key.http.put(`/users/${ann.id}/labels`, { labels });
  const [longest, tooMany] = ['x'.repeat(36), Array.from({ length: 1001 }, (_, i) => `l${i}`)];
  expect((await label([longest]).json<Models.User>()).labels).toEqual([longest]);
  expect((await label(['vip', 'vip', 'b2']).json<Models.User>()).labels).toEqual(['vip', 'b2']);
  await refused(invalid('labels'), label(tooMany), label(['x'.repeat(37)]), label(['v-ip']));
  await label([]).is(200);
  const row = sec.document((await document(sec, {}, ['read("label:vip")', 'update("label:vip")'])).$id);
  await refused(NO_DOCUMENT, ann.http.get(row));
  expect((await key.node.users.updateLabels({ userId: ann.id, labels: ['vip'] })).labels).toEqual(['vip']);
  await ann.http.get(row).is(200);
  await refused(NO_DOCUMENT, bob.http.get(row));
  const socket = await Socket.on(['documents'], ann);
  const changed = await key.http.patch(row, { data: { n: 1 } }).json<Row>();
  expect((await socket.event()).payload).toEqual(changed);
  await label([]).is(200);
  await refused(NO_DOCUMENT, ann.http.get(row));
  const without = await Socket.on(['documents'], ann);
  await key.http.patch(row, { data: { n: 2 } }).is(200);
  await without.quiet();
});

test('G22 webhooks hear of teams and memberships by all their names', async ({ skip }) => {
  const { where, sendsMail } = mailServerIfAny();
  const [u, v] = await people(where);
  const target = await hook(skip, ['teams.*'], { on: where });
  const team = await teamOf(u);
  const made = await target.next();
  const [t, anyTeam] = [`teams.${team.id}`, 'teams.*'];
  expect(made.names[0]).toBe(`${t}.create`);
  expect([...made.names].sort()).toEqual([`${t}.create`, `${anyTeam}.create`, t, anyTeam].sort());
  expect(made).toMatchObject({ payload: { $id: team.id, total: 1 }, user: u.id });
  const membership = await joined(team, v, ['dev']);
  const came = await target.next();
  const m = (outer: string, id: string) => `teams.${outer}.memberships.${id}`;
  const forms = [m(team.id, membership.$id), m('*', '*'), m(team.id, '*'), m('*', membership.$id)];
  expect(came.names[0]).toBe(`${forms[0]}.create`);
  const expected = [...forms.map((name) => `${name}.create`), ...forms, t, anyTeam];
  expect([...came.names].sort()).toEqual(expected.sort());
  expect(came).toMatchObject({ payload: membership, user: '' });
  await u.http.put(team.path, { name: 'Renamed' }).is(200);
  expect(await target.next()).toMatchObject({ payload: { name: 'Renamed' }, user: u.id });
  await u.http.put(`${team.path}/prefs`, { prefs: { a: 1 } }).is(200);
  const prefs = await target.next();
  expect([prefs.payload, prefs.names.length]).toEqual([{ a: 1 }, 6]);
  expect(prefs.names).toContain(`${t}.update.prefs`);
  await u.http.patch(team.membership(membership.$id), { roles: ['x'] }).is(200);
  expect(await target.next()).toMatchObject({ payload: { roles: ['x'], userEmail: v.email }, user: u.id });
  await v.http.delete(team.membership(membership.$id)).is(204);
  const blank = { $id: membership.$id, userName: '', userEmail: '', teamName: '' };
  const names = expect.arrayContaining([`${forms[0]}.delete`]);
  expect(await target.next()).toMatchObject({ payload: blank, user: v.id, names });
  if (sendsMail) {
    const open = await invited(team, u, v.email);
    expect((await target.next()).payload).toMatchObject({ confirm: false });
    const path = team.membership(open.membership.$id);
    await v.http.patch(`${path}/status`, { userId: v.id, secret: open.parameters.secret }).is(200);
    const accepted = await target.next();
    expect(accepted.names).toHaveLength(16);
    const names = expect.arrayContaining([`${t}.memberships.${open.membership.$id}.update`, `${t}.update.status`]);
    expect(accepted).toMatchObject({ payload: { confirm: true }, user: v.id, names });
  }
  await keyOf(where).http.delete(team.path).is(204);
  expect(await target.next()).toMatchObject({ payload: { $id: team.id }, user: '' });
});

test('G23 members hear of their team, whoever joins at once and whoever left no more', async ({ ann, bob }) => {
  const team = await teamOf(ann);
  const [anns, bobs] = [await Socket.on(['teams', 'memberships'], ann), await Socket.on(['teams', 'memberships'], bob)];
  const stranger = await Socket.on(['teams', `teams.${team.id}`, 'memberships']);
  const both = async (event: string, kind: string, id: string, payload: object) => {
    const [name] = event.split('.').slice(-1);
    for (const socket of [anns, bobs]) {
      const heard = await socket.event();
      expect(heard.events[0]).toBe(event);
      const channels = [kind, `${kind}.${name}`, `${kind}.${id}`, `${kind}.${id}.${name}`];
      expect([...heard.channels].sort()).toEqual(channels.sort());
      expect(heard.payload).toEqual(payload);
    }
  };
  const membership = await joined(team, bob, ['dev']);
  const path = `teams.${team.id}.memberships.${membership.$id}`;
  await both(`${path}.create`, 'memberships', membership.$id, membership);
  await ann.http.put(`${team.path}/prefs`, { prefs: { a: 1 } }).is(200);
  await both(`teams.${team.id}.update`, 'teams', team.id, { a: 1 });
  await ann.http.delete(team.membership(membership.$id)).is(204);
  expect((await anns.event()).events[0]).toBe(`${path}.delete`);
  await ann.http.put(team.path, { name: 'Alone' }).is(200);
  expect((await anns.event()).payload).toMatchObject({ name: 'Alone' });
  await Promise.all([bobs.quiet(), stranger.quiet()]);
});

test('G24 an open subscription gains and loses the team’s documents', async ({ ann, bob, sec }) => {
  const team = await teamOf(ann);
  const socket = await Socket.on(['documents'], bob);
  const write = () => document(sec, {}, [`read("team:${team.id}")`]);
  await write();
  await socket.quiet();
  const { $id } = await joined(team, bob);
  const row = await write();
  expect((await socket.event()).payload.$id).toBe(row.$id);
  await ann.http.delete(team.membership($id)).is(204);
  await write();
  await socket.quiet();
});
