/** Realtime over real sockets, against one backend with two users, which every test listens to. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { openSocket, type TestSocket } from '../../tests/support/realtime.ts';

let backend: TestBackend;
let ann: { userId: string; cookies: string };
let bob: { userId: string; cookies: string };
let sockets: TestSocket[] = [];

beforeAll(async () => {
  backend = await startTestBackend();
  ann = await backend.signUp('ann@example.com');
  bob = await backend.signUp('bob@example.com');
  const make = (path: string, body: object) => backend.request('POST', path, { asKey: true, body });
  await make('/databases', { databaseId: 'd', name: 'd' });
  for (const [collectionId, permissions, documentSecurity] of [
    ['pub', ['read("any")'], false],
    ['sec', ['create("users")'], true],
  ] as const) {
    await make('/databases/d/collections', { collectionId, name: collectionId, permissions, documentSecurity });
    const attributes = `/databases/d/collections/${collectionId}/attributes/string`;
    await make(attributes, { key: 'title', size: 128, required: false });
  }
});
afterEach(() => {
  for (const socket of sockets) socket.close();
  sockets = [];
});
afterAll(() => backend.stop());

function open(options: Parameters<typeof openSocket>[1] = {}): TestSocket {
  const socket = openSocket(backend.origin, options);
  sockets.push(socket);
  return socket;
}

/** Opens a socket and waits until it is connected. */
async function connect(cookies?: string): Promise<TestSocket> {
  const socket = open(cookies ? { headers: { cookie: cookies } } : {});
  expect((await socket.next()).type).toBe('connected');
  return socket;
}

const write = (collectionId: string, documentId: string, title: string, options: object) =>
  backend.request('POST', `/databases/d/collections/${collectionId}/documents`, {
    body: { documentId, data: { title } },
    ...options,
  });

describe('connecting', () => {
  it('tells a guest that he is nobody', async () => {
    expect(await open().next()).toEqual({ type: 'connected', data: { channels: [], subscriptions: [], user: null } });
  });

  it('knows the user by his cookie', async () => {
    const { data } = await open({ headers: { cookie: ann.cookies } }).next();
    expect(data.user).toMatchObject({ $id: ann.userId, email: 'ann@example.com', prefs: {} });
  });

  it('knows the user by a JWT, and refuses a bad one', async () => {
    const { body } = await backend.request('POST', '/account/jwts', { cookies: ann.cookies, body: {} });
    const { data } = await open({ query: `project=p1&jwt=${body.jwt}` }).next();
    expect(data.user.$id).toBe(ann.userId);
    const bad = open({ query: 'project=p1&jwt=x' });
    expect((await bad.next()).data).toMatchObject({ code: 401 });
    expect(await bad.closed).toBe(1008);
  });

  it.each([
    ['an unknown project', { query: 'project=nope' }, 'Missing or unknown project ID'],
    [
      'a foreign page',
      { headers: { origin: 'http://evil.test' } },
      'Invalid Origin. Register your new client (evil.test)',
    ],
  ])('refuses %s and closes as a matter of policy', async (_, options, message) => {
    const socket = open(options);
    const { type, data } = await socket.next();
    expect(type).toBe('error');
    expect(data.code).toBe(1008);
    expect(data.message).toContain(message);
    expect(await socket.closed).toBe(1008);
  });

  it('takes a page of a registered host', async () => {
    expect((await open({ headers: { origin: 'http://localhost:5173' } }).next()).type).toBe('connected');
  });

  it('goes nowhere without a project', async () => {
    const socket = open({ query: '' });
    expect((await socket.next()).type).toBe('connected');
    await socket.subscribe('s', ['documents']);
    await write('pub', 'nowhere', 'x', { asKey: true });
    expect(await socket.rest()).toEqual([]);
  });

  it('is forgotten when it closes, without a project, too: the room for all of them does not fill', async () => {
    const channels = Array.from({ length: 100 }, (_, n) => `${n}${'c'.repeat(240)}`);
    const items = Array.from({ length: 10 }, (_, n) => ({ subscriptionId: `s${n}`, channels }));
    for (let n = 0; n < 80; n += 1) {
      const socket = open({ query: '' });
      await socket.next();
      expect(await socket.ask({ type: 'subscribe', data: items })).toMatchObject({ type: 'response' });
      socket.close();
      await socket.closed;
    }
  });

  it('takes channels in the address, as older clients send them', async () => {
    const socket = open({ query: 'project=p1&channels[]=documents&channels[]=files' });
    const { data } = await socket.next();
    expect(data.channels).toEqual(['documents', 'files']);
    expect(data.subscriptions).toHaveLength(1);
    await write('pub', 'older', 'x', { asKey: true });
    expect((await socket.next()).data.subscriptions).toEqual(data.subscriptions);
  });

  it('is not possible anywhere else', async () => {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${backend.origin.replace('http', 'ws')}/v1/other?project=p1`);
    const status = await new Promise((resolve) => socket.on('unexpected-response', (_, r) => resolve(r.statusCode)));
    socket.on('error', () => {});
    socket.terminate();
    expect(status).toBe(404);
  });
});

describe('an event', () => {
  it('has names, channels, time, payload and the matching subscriptions', async () => {
    const socket = await connect();
    await socket.subscribe('s1', ['databases.d.collections.pub.documents']);
    const { body } = await write('pub', 'shape', 'x', { asKey: true });
    const { type, data } = await socket.next();
    expect(type).toBe('event');
    expect(Object.keys(data)).toEqual(['events', 'channels', 'timestamp', 'payload', 'subscriptions']);
    expect(data.events[0]).toBe('databases.d.collections.pub.documents.shape.create');
    expect(data.channels).toHaveLength(16);
    expect(data.payload).toEqual(body);
    expect(data.subscriptions).toEqual(['s1']);
    expect(data.timestamp).toMatch(/\+00:00$/);
  });

  it('of a private document reaches its reader alone', async () => {
    const [mine, his, guest] = [await connect(ann.cookies), await connect(bob.cookies), await connect()];
    for (const socket of [mine, his, guest]) await socket.subscribe('s', ['documents']);
    await write('sec', 'private', 'x', { cookies: ann.cookies });
    expect((await mine.next()).data.payload.$id).toBe('private');
    await turn();
    expect(await his.rest()).toEqual([]);
    expect(await guest.rest()).toEqual([]);
  });

  it('comes once, with every subscription it matched', async () => {
    const socket = await connect();
    await socket.subscribe('a', ['documents', 'rows', 'databases.d.collections.pub.documents']);
    await socket.subscribe('b', ['databases.d.collections.pub.documents.twice']);
    await socket.subscribe('c', ['databases.d.collections.pub.documents.other']);
    await write('pub', 'twice', 'x', { asKey: true });
    expect((await socket.next()).data.subscriptions.sort()).toEqual(['a', 'b']);
    expect(await socket.rest()).toEqual([]);
  });

  it('comes in the order of the writes', async () => {
    const socket = await connect();
    await socket.subscribe('s', ['databases.d.collections.pub.documents.create']);
    const ids = Array.from({ length: 20 }, (_, i) => `order-${i}`);
    for (const id of ids) await write('pub', id, 'x', { asKey: true });
    const came: string[] = [];
    for (const _ of ids) came.push((await socket.next()).data.payload.$id);
    expect(came).toEqual(ids);
  });

  it('is filtered by the subscription’s queries', async () => {
    const socket = await connect();
    const query = '{"method":"equal","attribute":"title","values":["yes"]}';
    await socket.subscribe('s', ['documents'], [query]);
    await write('pub', 'no', 'no', { asKey: true });
    await write('pub', 'yes', 'yes', { asKey: true });
    expect((await socket.next()).data.payload.$id).toBe('yes');
  });
});

describe('subscribing', () => {
  it('answers the final channels; an id is made when none is given', async () => {
    const socket = await connect(ann.cookies);
    const { data } = await socket.ask({
      type: 'subscribe',
      data: [{ channels: ['account', `account.${bob.userId}`, 'files'], queries: [] }],
    });
    expect(data).toMatchObject({ to: 'subscribe', success: true });
    expect(data.subscriptions).toEqual([
      {
        subscriptionId: expect.stringMatching(/^[0-9a-f]{20}$/),
        channels: [`account.${ann.userId}`, 'files'],
        queries: [],
      },
    ]);
  });

  it('adds to a subscription whose id is used again, and replaces the queries of a channel', async () => {
    const socket = await connect();
    const never = '{"method":"isNull","attribute":"$id"}';
    await socket.subscribe('s', ['documents'], [never]);
    const { data } = await socket.subscribe('s', ['rows']);
    expect(data.subscriptions[0].channels).toEqual(['rows']);
    await write('pub', 'added', 'x', { asKey: true });
    expect((await socket.next()).data.subscriptions).toEqual(['s']);
    await socket.subscribe('s', ['rows'], [never]);
    await write('pub', 'replaced', 'x', { asKey: true });
    expect(await socket.rest()).toEqual([]);
  });

  it('takes all or nothing', async () => {
    const socket = await connect();
    const { data } = await socket.ask({
      type: 'subscribe',
      data: [
        { subscriptionId: 'good', channels: ['documents'] },
        { subscriptionId: 'bad', channels: ['documents'], queries: ['{"method":"search","values":["x"]}'] },
      ],
    });
    expect(data.code).toBe(1003);
    await write('pub', 'nothing', 'x', { asKey: true });
    expect(await socket.rest()).toEqual([]);
  });

  it('has a limit of a thousand channels', async () => {
    const socket = await connect();
    const channels = Array.from({ length: 100 }, (_, i) => `c${i}`);
    for (let n = 0; n < 10; n++) expect((await socket.subscribe(`s${n}`, channels)).type).toBe('response');
    expect((await socket.subscribe('s10', ['one-more'])).data.message).toContain('at most 1000 channels');
  });

  it('ends: removed is true once', async () => {
    const socket = await connect();
    await socket.subscribe('s', ['documents']);
    const unsubscribe = () => socket.ask({ type: 'unsubscribe', data: [{ subscriptionId: 's' }] });
    expect((await unsubscribe()).data).toEqual({
      to: 'unsubscribe',
      success: true,
      subscriptions: [{ subscriptionId: 's', removed: true }],
    });
    expect((await unsubscribe()).data.subscriptions[0].removed).toBe(false);
    await write('pub', 'ended', 'x', { asKey: true });
    expect(await socket.rest()).toEqual([]);
  });
});

describe('authentication', () => {
  const secretOf = (cookies: string) => decodeURIComponent(/a_session_p1=([^;]+)/.exec(cookies)?.[1] ?? '');

  it.each(['before', 'after'])('%s a subscription gives it the user’s rights', async (order) => {
    const socket = await connect();
    const subscribe = () => socket.subscribe('s', ['documents', 'account']);
    if (order === 'after') await subscribe();
    const session = secretOf(ann.cookies);
    const { data } = await socket.ask({ type: 'authentication', data: { session } });
    expect(data).toMatchObject({ to: 'authentication', success: true, user: { $id: ann.userId } });
    if (order === 'before') await subscribe();
    await write('sec', `auth-${order}`, 'x', { cookies: ann.cookies });
    expect((await socket.next()).data.payload.$id).toBe(`auth-${order}`);
    await backend.request('PATCH', '/account/name', { cookies: ann.cookies, body: { name: `Ann ${order}` } });
    expect((await socket.next()).data.payload.name).toBe(`Ann ${order}`);
  });

  it('works when it is sent back to back with the subscription', async () => {
    const socket = await connect();
    socket.socket.send(JSON.stringify({ type: 'authentication', data: { session: secretOf(ann.cookies) } }));
    socket.socket.send(JSON.stringify({ type: 'subscribe', data: [{ subscriptionId: 's', channels: ['documents'] }] }));
    expect((await socket.next()).data.to).toBe('authentication');
    expect((await socket.next()).data.to).toBe('subscribe');
    await write('sec', 'back-to-back', 'x', { cookies: ann.cookies });
    expect((await socket.next()).data.payload.$id).toBe('back-to-back');
  });

  it('fails with a bad session, and the socket stays', async () => {
    const socket = await connect();
    const { data } = await socket.ask({ type: 'authentication', data: { session: 'nonsense' } });
    expect(data).toEqual({ code: 1003, message: 'Session is not valid.' });
    expect(await socket.rest()).toEqual([]);
  });
});

describe('the account channel', () => {
  it('tells a user of himself, and nobody else', async () => {
    const [mine, his] = [await connect(ann.cookies), await connect(bob.cookies)];
    for (const socket of [mine, his]) await socket.subscribe('s', ['account', `account.${ann.userId}`]);
    await backend.request('PATCH', '/account/name', { cookies: ann.cookies, body: { name: 'Anna' } });
    expect((await mine.next()).data.payload.name).toBe('Anna');
    expect(await his.rest()).toEqual([]);
  });
});

describe('when the session ends', () => {
  it('the socket is closed, so that the client comes back as whoever he is then', async () => {
    const user = await backend.signUp('carl@example.com');
    const socket = await connect(user.cookies);
    await backend.request('DELETE', '/account/sessions/current', { cookies: user.cookies });
    expect(await socket.closed).toBe(4401);
  });

  it('so it is when the user is blocked', async () => {
    const user = await backend.signUp('dora@example.com');
    const socket = await connect(user.cookies);
    await backend.request('PATCH', `/users/${user.userId}/status`, { asKey: true, body: { status: false } });
    expect(await socket.closed).toBe(4401);
    const { data } = await open({ headers: { cookie: user.cookies } }).next();
    expect(data.user).toBeNull();
  });

  it('a new label counts at once', async () => {
    const user = await backend.signUp('emil@example.com');
    await backend.request('POST', '/databases/d/collections', {
      asKey: true,
      body: { collectionId: 'vip', name: 'vip', permissions: ['read("label:vip")'] },
    });
    await backend.request('POST', '/databases/d/collections/vip/attributes/string', {
      asKey: true,
      body: { key: 'title', size: 10, required: false },
    });
    const socket = await connect(user.cookies);
    await socket.subscribe('s', ['documents']);
    await write('vip', 'one', 'x', { asKey: true });
    expect(await socket.rest()).toEqual([]);
    await backend.request('PUT', `/users/${user.userId}/labels`, { asKey: true, body: { labels: ['vip'] } });
    await write('vip', 'two', 'x', { asKey: true });
    expect((await socket.next()).data.payload.$id).toBe('two');
  });
});

describe('messages', () => {
  it('are answered with pong when they are ping', async () => {
    expect(await (await connect()).ask({ type: 'ping' })).toEqual({ type: 'pong' });
  });

  it('that make no sense are errors, and the socket stays', async () => {
    const socket = await connect();
    for (const text of ['', '{', '{"foo":1}', '{"type":"dance"}']) {
      expect((await socket.ask(text)).data.code).toBe(1003);
    }
    socket.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
    expect((await socket.next()).data.code).toBe(1003);
    expect(await socket.rest()).toEqual([]);
  });

  it('that are too large end the connection', async () => {
    const socket = await connect();
    socket.socket.send('x'.repeat(600_000));
    expect(await socket.closed).toBe(1009);
  });
});

describe('with limits', () => {
  it('the 33rd message of a minute is an error, the 129th connection is refused', async () => {
    const limited = await startTestBackend({ rateLimits: true });
    // Both windows are minutes of the clock: begin in a fresh one if this one is nearly over.
    if (60_000 - (Date.now() % 60_000) < 5000) await wait(60_000 - (Date.now() % 60_000));
    const socket = openSocket(limited.origin);
    expect((await socket.next()).type).toBe('connected');
    for (let n = 0; n < 32; n++) expect((await socket.ask({ type: 'ping' })).type).toBe('pong');
    expect((await socket.ask({ type: 'ping' })).data).toEqual({ code: 1013, message: 'Too many messages.' });
    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
    const more = Array.from({ length: 127 }, () => openSocket(limited.origin));
    const first = await Promise.all(more.map((one) => one.next()));
    expect(first.every(({ type }) => type === 'connected')).toBe(true);
    const refused = openSocket(limited.origin);
    expect((await refused.next()).data.code).toBe(1013);
    expect(await refused.closed).toBe(1013);
    for (const one of [socket, ...more]) one.close();
    await limited.stop();
  }, 90_000);
});

it('says good-bye when the server stops', async () => {
  const stopping = await startTestBackend();
  const socket = openSocket(stopping.origin);
  await socket.next();
  await stopping.stop();
  expect(await socket.closed).toBe(1001);
});
