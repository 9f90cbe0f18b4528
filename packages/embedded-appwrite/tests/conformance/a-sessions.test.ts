/** A: a user's sessions (contract 2.1). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { GUEST_WITHOUT_ACCOUNT, justWritten, refused } from './expect.ts';
import { withSessionLimit } from './facilities.ts';
import { line, server } from './line.ts';
import { account, admin, guest, type Person, person, signIn } from './people.ts';
import { node } from './sdk.ts';
import type { Server } from './server.ts';

const NO_SESSION = {
  code: 404,
  type: 'user_session_not_found',
  message: 'The current user session could not be found.',
};

async function another(who: Person): Promise<{ id: string; secret: string }> {
  const answer = await admin(server()).http.post(`/users/${who.id}/sessions`);
  const { $id: id, secret } = answer.is(201).json<Models.Session>();
  return { id, secret };
}

line('A25', 'of the listed sessions exactly the own is current, all without secret', async () => {
  const who = await person(server());
  await another(who);
  const lists = [(await who.http.get('/account/sessions')).is(200).json<Models.SessionList>()];
  lists.push(await who.web.account.listSessions());
  for (const { total, sessions } of lists) {
    expect(total).toBe(2);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current).map(({ $id }) => $id)).toEqual([who.sessionId]);
    expect(sessions.every(({ secret }) => secret === '')).toBe(true);
  }
});

line('A26', 'the session named current is the own; a session of somebody else is not found', async () => {
  const [who, other] = [await person(server()), await person(server())];
  const session = (await who.http.get('/account/sessions/current')).is(200).json<Models.Session>();
  expect(session).toMatchObject({ $id: who.sessionId, current: true, secret: '' });
  expect((await who.web.account.getSession({ sessionId: 'current' })).$id).toBe(who.sessionId);
  await refused(
    NO_SESSION,
    who.http.get(`/account/sessions/${other.sessionId}`),
    who.http.delete(`/account/sessions/${other.sessionId}`, {}),
    who.web.account.getSession({ sessionId: other.sessionId }),
  );
  (await other.http.get('/account')).is(200);
});

line('A27', 'signing out expires both cookies and the session', async () => {
  const who = await signIn(server(), await account(server()));
  const name = `a_session_${server().projectId}`.toLowerCase();
  const headers = { cookie: `${name}=${encodeURIComponent(who.session)}` };
  const { http } = guest(server());
  const answer = (await http.delete('/account/sessions/current', {}, { headers })).is(204);
  expect(answer.text).toBe('');
  for (const cookie of [answer.cookie(name), answer.cookie(`${name}_legacy`)]) {
    expect(cookie).toBeDefined();
    const expires = Date.parse((cookie?.attributes.get('expires') ?? '').replaceAll('-', ' '));
    expect(expires, cookie?.name).toBeLessThan(Date.now());
    expect(cookie?.attributes.get('max-age'), cookie?.name).toBe('0');
  }
  await refused(GUEST_WITHOUT_ACCOUNT, http.get('/account', { headers }), who.web.account.get());
  const second = await person(server());
  await second.web.account.deleteSession({ sessionId: 'current' });
  await refused(GUEST_WITHOUT_ACCOUNT, second.web.account.get(), second.http.get('/account'));
});

line('A28', 'another own session can be ended alone; ending all ends the current one too', async () => {
  const who = await person(server());
  const [second, third] = [await another(who), await another(who)];
  (await who.http.delete(`/account/sessions/${second.id}`, {})).is(204);
  (await who.http.get('/account')).is(200);
  await refused(GUEST_WITHOUT_ACCOUNT, node(server(), { session: second.secret }).account.get());
  await node(server(), { session: third.secret }).account.get();
  await who.web.account.deleteSessions();
  await refused(
    GUEST_WITHOUT_ACCOUNT,
    who.http.get('/account'),
    node(server(), { session: third.secret }).account.get(),
  );
  const last = await person(server());
  (await last.http.delete('/account/sessions', {})).is(204);
  await refused(GUEST_WITHOUT_ACCOUNT, last.http.get('/account'));
});

line('A30', 'extending the current session moves its end', async () => {
  const who = await person(server());
  const before = await who.web.account.getSession({ sessionId: 'current' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const raw = (await who.http.patch('/account/sessions/current', {})).is(200).json<Models.Session>();
  expect(justWritten(raw.expire)).toBeGreaterThan(Date.parse(before.expire));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const sdk = await who.web.account.updateSession({ sessionId: 'current' });
  expect(justWritten(sdk.expire)).toBeGreaterThan(justWritten(raw.expire));
  const listed = (await who.web.account.listSessions()).sessions.map(({ expire }) => Date.parse(expire));
  expect(listed).toEqual([justWritten(sdk.expire)]);
});

line(
  'A31',
  'with a limit of 10 sessions the eleventh sign-in ends the first; without one all stay',
  async (context) => {
    const [first, ...rest] = await elevenSignIns(server());
    const { total } = await (rest.at(-1) as Person).web.account.listSessions();
    expect(total).toBe(11);
    (await (first as Person).http.get('/account')).is(200);
    await withSessionLimit(10, context, async (limited) => {
      const [oldest, ...others] = await elevenSignIns(limited);
      const { account } = (others.at(-1) as Person).web;
      const left = async () => (await account.listSessions()).sessions.map(({ $id }) => $id).sort();
      // A real server removes the oldest session after its answer.
      await expect.poll(left).toEqual(others.map(({ sessionId }) => sessionId).sort());
      await refused(GUEST_WITHOUT_ACCOUNT, (oldest as Person).http.get('/account'));
    });
  },
);

/** Signs in eleven times, one after the other: a real server counts sessions before it adds one. */
async function elevenSignIns(where: Server): Promise<Person[]> {
  const who = await account(where);
  const people: Person[] = [];
  for (let i = 0; i < 11; i++) people.push(await signIn(where, who));
  return people;
}
