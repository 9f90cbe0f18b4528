/** G: team events for webhooks and sockets (contract, part 2, 7). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { line, server } from './line.ts';
import { admin, person } from './people.ts';
import { document, schema } from './schema.ts';
import { Socket } from './sockets.ts';
import { invited, joined, listeningAs, mailServerIfAny, teamOf } from './teams.ts';
import { hook, receiver } from './webhook-receiver.ts';

const db = once(() => schema(server()));

line('G22', 'webhooks hear of teams and memberships by all their names', async (context) => {
  const { where, sendsMail } = mailServerIfAny();
  const target = await receiver();
  const [u, v] = [await person(where), await person(where)];
  await hook(context, target.url, ['teams.*'], { on: where });
  const team = await teamOf(where, u);
  const told = async () => {
    const { headers, body } = await target.next();
    const names = String(headers['x-appwrite-webhook-events']).split(',');
    return { names, body: JSON.parse(body.toString()), user: headers['x-appwrite-webhook-user-id'] ?? '' };
  };
  const made = await told();
  const [t, anyTeam] = [`teams.${team.id}`, 'teams.*'];
  expect(made.names[0]).toBe(`${t}.create`);
  expect([...made.names].sort()).toEqual([`${t}.create`, `${anyTeam}.create`, t, anyTeam].sort());
  expect(made).toMatchObject({ body: { $id: team.id, total: 1 }, user: u.id });
  const membership = await joined(where, team, v, ['dev']);
  const came = await told();
  const m = (outer: string, id: string) => `teams.${outer}.memberships.${id}`;
  const forms = [m(team.id, membership.$id), m('*', '*'), m(team.id, '*'), m('*', membership.$id)];
  expect(came.names[0]).toBe(`${forms[0]}.create`);
  const expected = [...forms.map((name) => `${name}.create`), ...forms, t, anyTeam];
  expect([...came.names].sort()).toEqual(expected.sort());
  expect(came).toMatchObject({ body: membership, user: '' });
  (await u.http.put(team.path, { name: 'Renamed' })).is(200);
  expect(await told()).toMatchObject({ body: { name: 'Renamed' }, user: u.id });
  (await u.http.put(`${team.path}/prefs`, { prefs: { a: 1 } })).is(200);
  const prefs = await told();
  expect(prefs.body).toEqual({ a: 1 });
  expect(prefs.names).toHaveLength(6);
  expect(prefs.names).toContain(`${t}.update.prefs`);
  (await u.http.patch(team.membership(membership.$id), { roles: ['x'] })).is(200);
  expect(await told()).toMatchObject({ body: { roles: ['x'], userEmail: v.email }, user: u.id });
  (await v.http.delete(team.membership(membership.$id))).is(204);
  const left = await told();
  expect(left.names).toContain(`${forms[0]}.delete`);
  expect(left).toMatchObject({ body: { $id: membership.$id, userName: '', userEmail: '', teamName: '' }, user: v.id });
  if (sendsMail) {
    const open = await invited(team, u, v.email);
    expect((await told()).body).toMatchObject({ confirm: false });
    const path = `${team.membership(open.membership.$id)}/status`;
    (await v.http.patch(path, { userId: v.id, secret: open.parameters.secret })).is(200);
    const accepted = await told();
    expect(accepted.names).toHaveLength(16);
    expect(accepted.names).toEqual(
      expect.arrayContaining([`${t}.memberships.${open.membership.$id}.update`, `${t}.update.status`]),
    );
    expect(accepted).toMatchObject({ body: { confirm: true }, user: v.id });
  }
  (await admin(where).http.delete(team.path)).is(204);
  expect(await told()).toMatchObject({ body: { $id: team.id }, user: '' });
});

line('G23', 'members hear of their team, whoever joins at once and whoever left no more', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const sockets = [
    await listeningAs(server(), u, 'teams', 'memberships'),
    await listeningAs(server(), v, 'teams', 'memberships'),
  ] as const;
  const stranger = await Socket.connected(server());
  await stranger.subscribe({ subscriptionId: 's', channels: ['teams', `teams.${team.id}`, 'memberships'] });
  const membership = await joined(server(), team, v, ['dev']);
  const path = `teams.${team.id}.memberships.${membership.$id}`;
  for (const socket of sockets) {
    const { events, channels, payload } = await socket.event();
    expect(events[0]).toBe(`${path}.create`);
    expect([...channels].sort()).toEqual(
      [
        'memberships',
        'memberships.create',
        `memberships.${membership.$id}`,
        `memberships.${membership.$id}.create`,
      ].sort(),
    );
    expect(payload).toEqual(membership);
  }
  (await u.http.put(`${team.path}/prefs`, { prefs: { a: 1 } })).is(200);
  for (const socket of sockets) {
    const { events, channels, payload } = await socket.event();
    expect(events[0]).toBe(`teams.${team.id}.update`);
    expect([...channels].sort()).toEqual(
      ['teams', 'teams.update', `teams.${team.id}`, `teams.${team.id}.update`].sort(),
    );
    expect(payload).toEqual({ a: 1 });
  }
  (await u.http.delete(team.membership(membership.$id))).is(204);
  expect((await sockets[0].event()).events[0]).toBe(`${path}.delete`);
  (await u.http.put(team.path, { name: 'Alone' })).is(200);
  expect((await sockets[0].event()).payload).toMatchObject({ name: 'Alone' });
  await Promise.all([sockets[1].quiet(), stranger.quiet()]);
});

line('G24', 'an open subscription gains and loses the team’s documents', async () => {
  const { sec } = await db();
  const [u, v] = [await person(server()), await person(server())];
  const team = await teamOf(server(), u);
  const socket = await listeningAs(server(), v, 'documents');
  const write = () => document(server(), sec, {}, [`read("team:${team.id}")`]);
  await write();
  await socket.quiet();
  const { $id } = (await joined(server(), team, v)) as Models.Membership;
  const row = await write();
  expect((await socket.event()).payload.$id).toBe(row.$id);
  (await u.http.delete(team.membership($id))).is(204);
  await write();
  await socket.quiet();
});
