/** R: connecting, messages, limits (contract 2.6). */
import { later, pause } from './cleanup.ts';
import { embeddedWith, inOneWindow } from './facilities.ts';
import { expect, test } from './kit.ts';
import { account, jwtOf, server, signIn } from './people.ts';
import { document, owner, schema } from './schema.ts';
import { browser, PAGE_ORIGIN } from './sdk.ts';
import { channelOf, type Fault, Socket } from './sockets.ts';

/** Expects an error frame, then a close. The embedded backend's close code, 1008, keeps the SDK from retrying. */
async function refusal(socket: Socket, message: string | RegExp): Promise<void> {
  const { data } = await socket.next<Fault>('error');
  expect(data).toMatchObject({ code: 1008, message: expect.stringMatching(message) });
  const code = await socket.closed;
  if (server().embedded) expect(code).toBe(1008);
}

const connected = async (...[where, options]: ConstructorParameters<typeof Socket>) =>
  (await new Socket(where, options).next('connected')).data;

test('R01 R02 a guest connects with the project in the address; a cookie makes the socket its user’s', async ({
  ann,
}) => {
  expect(await connected(server())).toMatchObject({ channels: [], subscriptions: [], user: null });
  const { id, cookie } = ann;
  expect(await connected(server(), { headers: { cookie } })).toMatchObject({ channels: [], user: { $id: id } });
});

test('R03 an unknown project is refused', () =>
  refusal(new Socket({ ...server(), projectId: 'nope' }), /^Missing or unknown project ID$/));

test('R04 a foreign origin is refused', async () => {
  await refusal(new Socket(server(), { headers: { origin: 'http://evil.test' } }), /^Invalid Origin\./);
  expect(await connected(server(), { headers: { origin: PAGE_ORIGIN } })).toMatchObject({ user: null });
});

test('R05 ping is answered; a subscription keeps the id that the client gave it', async () => {
  const socket = await Socket.of();
  await socket.ping();
  const subscriptions = [{ subscriptionId: 'mine', channels: ['documents', 'files'], queries: [] }];
  expect(await socket.ask('subscribe', subscriptions)).toEqual({ to: 'subscribe', success: true, subscriptions });
});

test('R17 an authentication frame makes a guest a user, for all subscriptions', async ({ ann, sec }) => {
  const { id, session } = ann;
  const own = () => document(sec, {}, owner(id));
  const socket = await Socket.of();
  await socket.subscribe({ subscriptionId: 'before', channels: [channelOf(sec)] });
  const answer = await socket.ask('authentication', { session });
  expect(answer).toMatchObject({ to: 'authentication', success: true, user: { $id: id } });
  const first = await own();
  expect(await socket.event()).toMatchObject({ payload: { $id: first.$id }, subscriptions: ['before'] });
  await socket.subscribe({ subscriptionId: 'after', channels: ['documents'] });
  await own();
  expect([...(await socket.event()).subscriptions].sort()).toEqual(['after', 'before']);
  if (!server().embedded) return;
  const eager = await Socket.of();
  eager.send({ type: 'authentication', data: { session } });
  await eager.subscribe({ subscriptionId: 'late', channels: ['documents'] });
  const second = await own();
  expect(await eager.event()).toMatchObject({ payload: { $id: second.$id }, subscriptions: ['late'] });
  const web = browser(server());
  web.client.setSession(session);
  later(() => web.realtime.disconnect());
  const seen: unknown[] = [];
  void web.realtime.subscribe('documents', ({ payload }) => seen.push(payload));
  await eventually(own, () => seen.length > 0);
  expect(seen[0]).toMatchObject({ $collectionId: sec.collectionId });
});

/** Expects an error frame with this code and text. Appwrite may send a generic text instead. */
async function fault(socket: Socket, code: number, text: string): Promise<void> {
  const { data } = await socket.next<Fault>('error');
  expect(data.code, text).toBe(code);
  expect([text, 'Error: Server Error']).toContain(data.message);
}

test('R18 messages that make no sense are errors with code 1003, and the socket stays open', async () => {
  const socket = await Socket.of();
  for (const [frame, text] of [
    [{ type: 'authentication', data: { session: 'garbage' } }, 'Session is not valid.'],
    [{ type: 'authentication', data: {} }, 'Payload is not valid. Session is required'],
    [{ foo: 1 }, 'Message format is not valid.'],
    [{ type: 'unknown', data: {} }, 'Message type is not valid.'],
    ['no JSON', 'Message format is not valid.'],
  ] as const) {
    socket.send(frame);
    await fault(socket, 1003, text);
  }
  await socket.ping();
});

test('R22 the 33rd message of a minute is an error with code 1013, and the socket stays open', async ({ limited }) => {
  await inOneWindow(60, 5, async () => {
    const socket = await Socket.of(limited);
    for (let sent = 0; sent < 32; sent += 1) await socket.ping();
    socket.send({ type: 'ping' });
    await fault(socket, 1013, 'Too many messages.');
    expect(socket.isOpen()).toBe(true);
  });
});

test('R23 a JWT in the address makes the socket its user’s; a bad one is an error 401', async ({ ann, skip }) => {
  if (!server().embedded) return skip('Appwrite releases up to 1.9.6 do not read ?jwt= on the socket');
  const query = `&jwt=${await jwtOf(ann)}`;
  expect(await connected(server(), { query })).toMatchObject({ user: { $id: ann.id } });
  const bad = await new Socket(server(), { query: '&jwt=nonsense' }).next<Fault>('error');
  expect(bad.data.code).toBe(401);
});

test('R24 after a restart of the server the SDK is back and subscribed', async ({ skip }) => {
  if (!server().embedded) return skip('the server cannot be restarted from here');
  const where = await embeddedWith();
  const { pub } = await schema(where);
  const { realtime } = browser(where);
  later(() => realtime.disconnect());
  let [seen, opened] = [0, 0];
  realtime.onOpen(() => {
    opened += 1;
  });
  await realtime.subscribe(channelOf(pub), () => {
    seen += 1;
  });
  const write = () => document(pub);
  const hears = (before = seen) => eventually(write, () => seen > before);
  await hears();
  await where.restart();
  await expect.poll(() => opened).toBe(2);
  await hears();
});

test('R26 the socket of a session that was ended goes on or is closed, nothing between', async ({ key, sec }) => {
  const who = await signIn(await account());
  const socket = await Socket.on(['documents'], who);
  await who.http.delete('/account/sessions/current', {}).is(204);
  const row = await document(sec, {}, owner(who.id));
  const [closed, heard] = [socket.closed.then(() => 'closed'), socket.event().then(({ payload }) => payload.$id)];
  expect(['closed', row.$id]).toContain(await Promise.race([closed, heard]));
  await key.http.delete(sec.document(row.$id)).is(204);
});

/** Repeats `act` until `done`, because the SDK does not report when the server has registered a subscription. */
async function eventually(act: () => Promise<unknown>, done: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 480 && !done(); attempt += 1) {
    await act();
    await pause(250);
  }
  expect(done(), 'an event at the SDK’s subscription').toBe(true);
}
