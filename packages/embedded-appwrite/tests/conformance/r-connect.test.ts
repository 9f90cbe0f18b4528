/** R: connecting, messages, limits (contract 2.6). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later, once } from './cleanup.ts';
import { limitsServer, roomInWindow } from './facilities.ts';
import { line, server } from './line.ts';
import { account, admin, person, signIn } from './people.ts';
import { document, owner, schema } from './schema.ts';
import { browser } from './sdk.ts';
import { EMBEDDED_KEYS, startEmbedded } from './server.ts';
import { type Happening, Socket } from './sockets.ts';

const db = once(() => schema(server()));

interface Fault {
  code: number;
  message: string;
}

/** Expects this error frame, then the close; the embedded backend's code stops the SDK's retries. */
async function refusal(socket: Socket, message: string | RegExp): Promise<void> {
  const { data } = await socket.next<Fault>('error');
  expect(data).toMatchObject({ code: 1008, message: expect.stringMatching(message) });
  const code = await socket.closed;
  if (server().embedded) expect(code).toBe(1008);
}

const cookieOf = (session: string) => ({ cookie: `a_session_${server().projectId}=${encodeURIComponent(session)}` });

line('R01', 'a guest connects with the project in the address and is nobody', async () => {
  const { data } = await new Socket(server()).next('connected');
  expect(data).toMatchObject({ channels: [], subscriptions: [], user: null });
});

line('R02', 'a cookie makes the socket its user’s', async () => {
  const { id, session } = await person(server());
  const { data } = await new Socket(server(), { headers: cookieOf(session) }).next('connected');
  expect(data).toMatchObject({ channels: [], user: { $id: id } });
});

line('R03', 'an unknown project is refused', async () => {
  await refusal(new Socket(server(), { project: 'nope' }), /^Missing or unknown project ID$/);
});

line('R04', 'a foreign origin is refused', async () => {
  await refusal(new Socket(server(), { headers: { origin: 'http://evil.test' } }), /^Invalid Origin\./);
  const own = new Socket(server(), { headers: { origin: 'http://localhost:5173' } });
  expect((await own.next('connected')).data).toMatchObject({ user: null });
});

line('R05', 'ping is answered; a subscription keeps the id that the client gave it', async () => {
  const socket = await Socket.connected(server());
  socket.send({ type: 'ping' });
  await socket.next('pong');
  const subscription = { subscriptionId: 'mine', channels: ['documents', 'files'], queries: [] };
  expect(await socket.ask('subscribe', [subscription])).toEqual({
    to: 'subscribe',
    success: true,
    subscriptions: [subscription],
  });
});

line('R17', 'an authentication frame makes a guest a user, for subscriptions before and after it', async () => {
  const { sec } = await db();
  const { id, session } = await person(server());
  const socket = await Socket.connected(server());
  await socket.subscribe({
    subscriptionId: 'before',
    channels: [`databases.${sec.databaseId}.collections.${sec.collectionId}.documents`],
  });
  const answer = await socket.ask('authentication', { session });
  expect(answer).toMatchObject({ to: 'authentication', success: true, user: { $id: id } });
  const first = await document(server(), sec, {}, owner(id));
  expect(await socket.event()).toMatchObject({ payload: { $id: first.$id }, subscriptions: ['before'] });
  await socket.subscribe({ subscriptionId: 'after', channels: ['documents'] });
  await document(server(), sec, {}, owner(id));
  expect([...(await socket.event()).subscriptions].sort()).toEqual(['after', 'before']);
  if (!server().embedded) return;
  const eager = await Socket.connected(server());
  eager.send({ type: 'authentication', data: { session } });
  await eager.subscribe({ subscriptionId: 'late', channels: ['documents'] });
  const second = await document(server(), sec, {}, owner(id));
  expect(await eager.event()).toMatchObject({ payload: { $id: second.$id }, subscriptions: ['late'] });
  const web = browser(server());
  web.client.setSession(session);
  later(() => web.realtime.disconnect());
  const seen = new Promise<unknown>(
    (resolve) => void web.realtime.subscribe('documents', ({ payload }) => resolve(payload)),
  );
  await eventually(async () => void (await document(server(), sec, {}, owner(id))), seen);
  expect(await seen).toMatchObject({ $collectionId: sec.collectionId });
});

line('R18', 'messages that make no sense are errors with code 1003, and the socket stays open', async () => {
  const socket = await Socket.connected(server());
  const faults: [frame: object | string, text: string][] = [
    [{ type: 'authentication', data: { session: 'garbage' } }, 'Session is not valid.'],
    [{ type: 'authentication', data: {} }, 'Payload is not valid. Session is required'],
    [{ foo: 1 }, 'Message format is not valid.'],
    [{ type: 'unknown', data: {} }, 'Message type is not valid.'],
    ['no JSON', 'Message format is not valid.'],
  ];
  for (const [frame, text] of faults) {
    socket.send(frame);
    const { data } = await socket.next<Fault>('error');
    expect(data.code, text).toBe(1003);
    expect([text, 'Error: Server Error']).toContain(data.message);
  }
  socket.send({ type: 'ping' });
  await socket.next('pong');
});

line('R22', 'the 33rd message of a minute is an error with code 1013, and the socket stays open', async (context) => {
  const where = await limitsServer(context);
  await roomInWindow(60, 5);
  const socket = await Socket.connected(where);
  for (let sent = 0; sent < 32; sent += 1) {
    socket.send({ type: 'ping' });
    await socket.next('pong');
  }
  socket.send({ type: 'ping' });
  const { data } = await socket.next<Fault>('error');
  expect(data.code).toBe(1013);
  expect(['Too many messages.', 'Error: Server Error']).toContain(data.message);
  expect(socket.isOpen).toBe(true);
});

line('R23', 'a JWT in the address makes the socket its user’s; a bad one is an error 401', async () => {
  const { id, http } = await person(server());
  const { jwt } = (await http.post('/account/jwts', {})).is(201).json<Models.Jwt>();
  const good = await new Socket(server(), { query: `&jwt=${jwt}` }).next('connected');
  expect(good.data).toMatchObject({ user: { $id: id } });
  const bad = await new Socket(server(), { query: '&jwt=nonsense' }).next<Fault>('error');
  expect(bad.data.code).toBe(401);
});

line('R24', 'after a restart of the server the SDK is back and subscribed in about a second', async (context) => {
  if (!server().embedded) return context.skip('the server cannot be restarted from here');
  const where = await startEmbedded(EMBEDDED_KEYS);
  later(where.stop);
  const { pub } = await schema(where);
  const { realtime } = browser(where);
  later(() => realtime.disconnect());
  const seen: Happening[] = [];
  let opened = 0;
  realtime.onOpen(() => {
    opened += 1;
  });
  await realtime.subscribe(`databases.${pub.databaseId}.collections.${pub.collectionId}.documents`, (event) =>
    seen.push(event as unknown as Happening),
  );
  const created = async () => void (await document(where, pub));
  await eventually(
    created,
    until(() => seen.length > 0),
  );
  await where.restart();
  const restarted = Date.now();
  await until(() => opened === 2);
  expect(Date.now() - restarted).toBeLessThan(9000);
  const before = seen.length;
  await eventually(
    created,
    until(() => seen.length > before),
  );
});

line('R26', 'the socket of a session that was ended goes on or is closed, nothing between', async () => {
  const { sec } = await db();
  const who = await signIn(server(), await account(server()));
  const socket = await Socket.connected(server(), cookieOf(who.session));
  await socket.subscribe({ channels: ['documents'] });
  (await who.http.delete('/account/sessions/current', {})).is(204);
  const row = await document(server(), sec, {}, owner(who.id));
  const outcome = await Promise.race([
    socket.closed.then(() => 'closed'),
    socket.event().then(({ payload }) => payload.$id),
  ]);
  expect(['closed', row.$id]).toContain(outcome);
  (await admin(server()).http.delete(sec.document(row.$id))).is(204);
});

/** Repeats `act` until `done` settles: the SDK doesn't report when the server has a subscription. */
async function eventually(act: () => Promise<void>, done: Promise<unknown>): Promise<void> {
  let settled = false;
  void done.finally(() => {
    settled = true;
  });
  for (let attempt = 0; attempt < 20 && !settled; attempt += 1) {
    await act();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  if (!settled) throw new Error('The subscription of the SDK got no event in 5 seconds.');
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 10_000) throw new Error('What was waited for did not happen in 10 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
