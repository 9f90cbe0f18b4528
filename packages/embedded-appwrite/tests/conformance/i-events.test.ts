/** I: token events and their recipients (contract, part 2, 7). */
import type { Models } from 'node-appwrite';
import { expect, type TestContext } from 'vitest';
import { refused } from './expect.ts';
import { mailServer } from './facilities.ts';
import { line, server } from './line.ts';
import { admin, guest, type Person, person } from './people.ts';
import type { Server } from './server.ts';
import { Socket } from './sockets.ts';
import { hook, receiver } from './webhook-receiver.ts';

const PAGE = 'http://localhost:5173/in';

function socketOf(where: Server, who: Person): Promise<Socket> {
  return Socket.connected(where, { cookie: `a_session_${where.projectId}=${encodeURIComponent(who.session)}` });
}

/** Skips the test on a real server, which differs; the checklist allows the difference. */
function ofEmbeddedAlone(context: TestContext, what: string): void {
  if (!server().embedded) context.skip(what);
}

line('I23', 'webhooks hear of each token with its secret, the user’s own sockets without', async (context) => {
  const where = await mailServer(context);
  const { node } = admin(where);
  const who = await person(where);
  const kinds = ['recovery', 'verification', 'tokens', 'sessions'];
  const target = await receiver();
  const events = kinds.map((kind) => `users.${who.id}.${kind}.*.create`);
  await hook(context, target.url, events, { on: where });
  const socket = await socketOf(where, who);
  await socket.subscribe({ channels: ['account'] });
  const told = async (kind: string, id: string) => {
    const { headers, body } = await target.next();
    const payload = JSON.parse(body.toString()) as Models.Token;
    expect(String(headers['x-appwrite-webhook-events']).split(',')[0]).toBe(`users.${who.id}.${kind}.${id}.create`);
    expect(payload).toMatchObject({ $id: id, userId: who.id });
    return { user: headers['x-appwrite-webhook-user-id'] ?? '', secret: payload.secret };
  };

  const url = { url: PAGE };
  const recovery = await guest(where).web.account.createRecovery({ ...url, email: who.email });
  expect((await told('recovery', recovery.$id)).secret).toMatch(/^[0-9a-f]{256}$/);
  const heard = await socket.event();
  expect([...heard.channels].sort()).toEqual(['account', `account.${who.id}`]);
  expect(heard.events).toContain(`users.${who.id}.recovery.${recovery.$id}.create`);
  expect(heard.payload).toMatchObject({ $id: recovery.$id, secret: '' });

  const verification = await who.web.account.createEmailVerification(url);
  const { secret, user } = await told('verification', verification.$id);
  expect(secret).toMatch(/^[0-9a-f]{256}$/);
  expect(user).toBe(who.id);

  const token = await node.users.createToken({ userId: who.id });
  expect(await told('tokens', token.$id)).toEqual({ user: '', secret: token.secret });
  const body = { userId: who.id, secret: token.secret };
  const session = (await guest(where).http.post('/account/sessions/token', body)).is(201).json<Models.Session>();
  expect((await told('sessions', session.$id)).user).toBe(who.id);
});

line('I33', 'the own account channel hears of labels and tokens without hash and secret', async (context) => {
  ofEmbeddedAlone(context, 'the real server sends both');
  const who = await person(server());
  const { node } = admin(server());
  const socket = await socketOf(server(), who);
  await socket.subscribe({ channels: ['account'] });
  await node.users.updateLabels({ userId: who.id, labels: ['vip'] });
  const labels = await socket.event();
  expect(labels.events).toContain(`users.${who.id}.update.labels`);
  expect(labels.channels).toContain('account.update');
  expect(labels.payload).toMatchObject({ $id: who.id, labels: ['vip'] });
  for (const field of ['password', 'hash', 'hashOptions']) expect(labels.payload).not.toHaveProperty(field);
  const token = await node.users.createToken({ userId: who.id });
  const created = await socket.event();
  expect(created.events).toContain(`users.${who.id}.tokens.${token.$id}.create`);
  expect(created.payload).toMatchObject({ $id: token.$id, secret: '' });
});

line('I34', 'a blocked user hears nothing more, and connects as nobody', async (context) => {
  ofEmbeddedAlone(context, 'the real server goes on');
  const who = await person(server());
  const { node } = admin(server());
  const socket = await socketOf(server(), who);
  await socket.subscribe({ channels: ['account'] });
  await node.users.updateStatus({ userId: who.id, status: false });
  expect(await socket.closed).toBeGreaterThanOrEqual(4000);
  const again = new Socket(server(), {
    headers: { cookie: `a_session_${server().projectId}=${encodeURIComponent(who.session)}` },
  });
  const frame = await again.next<{ user: unknown }>('connected').catch(() => undefined);
  expect(frame?.data.user ?? null).toBe(null);
  await refused({ code: 403, type: 'user_blocked' }, who.http.get('/account'));
});
