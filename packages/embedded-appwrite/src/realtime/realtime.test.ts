import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { openSocket, type TestSocket } from '../../tests/support/realtime.ts';

let backend: TestBackend;
let sockets: TestSocket[] = [];

beforeAll(async () => {
  backend = await startTestBackend();
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
  it('comes in the order of the writes', async () => {
    const socket = await connect();
    await socket.subscribe('s', ['databases.d.collections.pub.documents.create']);
    const ids = Array.from({ length: 20 }, (_, i) => `order-${i}`);
    for (const id of ids) await write('pub', id, 'x', { asKey: true });
    const came: string[] = [];
    for (const _ of ids) came.push((await socket.next()).data.payload.$id);
    expect(came).toEqual(ids);
  });
});

describe('subscribing', () => {
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
  it('that are binary are errors, and the socket stays open', async () => {
    const socket = await connect();
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

it('refuses the 129th connection of a minute', async () => {
  // Keeps all connections in one rate-limit window.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const limited = await startTestBackend({ rateLimits: true });
  const first = await Promise.all(Array.from({ length: 128 }, () => openSocket(limited.origin).next()));
  expect(first.every(({ type }) => type === 'connected')).toBe(true);
  const refused = openSocket(limited.origin);
  expect((await refused.next()).data.code).toBe(1013);
  expect(await refused.closed).toBe(1013);
  await limited.stop();
}, 90_000);

it('says good-bye when the server stops', async () => {
  const stopping = await startTestBackend();
  const socket = openSocket(stopping.origin);
  await socket.next();
  await stopping.stop();
  expect(await socket.closed).toBe(1001);
});
