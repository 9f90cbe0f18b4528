import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestBackend } from '../../tests/support/backend.ts';
import { openSocket, type TestSocket } from '../../tests/support/realtime.ts';
import { useBackend } from '../../tests/support/use-backend.ts';

const attributes = [{ key: 'title', type: 'string', size: 128 }];
const backend = useBackend({}, ({ server }) => server.collection('pub', { attributes, permissions: ['read("any")'] }));
const byKey = (method: string, path: string, body: object) => backend.request(method, path, { asKey: true, body });
const write = (collectionId: string, documentId: string) =>
  byKey('POST', `/databases/d/collections/${collectionId}/documents`, { documentId, data: { title: 'x' } });

function open(options: Parameters<typeof openSocket>[1] = {}): TestSocket {
  const socket = openSocket(backend.origin, options);
  onTestFinished(socket.close);
  return socket;
}

async function connect(options: Parameters<typeof openSocket>[1] = {}): Promise<TestSocket> {
  const socket = open(options);
  expect((await socket.next()).type).toBe('connected');
  return socket;
}

it('sends nothing without a project, and forgets such sockets when they close', async () => {
  const socket = await connect({ query: '' });
  await socket.subscribe('s', ['documents']);
  await write('pub', 'nowhere');
  expect(await socket.rest()).toEqual([]);
  // These subscriptions would exceed the memory limit if those of closed sockets were not released.
  const channels = Array.from({ length: 100 }, (_, n) => `${n}${'c'.repeat(240)}`);
  const items = Array.from({ length: 10 }, (_, n) => ({ subscriptionId: `s${n}`, channels }));
  for (let n = 0; n < 80; n += 1) {
    const other = await connect({ query: '' });
    expect(await other.ask({ type: 'subscribe', data: items })).toMatchObject({ type: 'response' });
    other.close();
    await other.closed;
  }
});

it('takes channels in the address, as older clients send them', async () => {
  const socket = open({ query: 'project=p1&channels[]=documents&channels[]=files' });
  const { data } = await socket.next();
  expect(data.channels).toEqual(['documents', 'files']);
  expect(data.subscriptions).toHaveLength(1);
  await write('pub', 'older');
  expect((await socket.next()).data.subscriptions).toEqual(data.subscriptions);
});

it('refuses a WebSocket elsewhere with 404', async () => {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${backend.origin.replace('http', 'ws')}/v1/other?project=p1`);
  const status = await new Promise((resolve) => socket.on('unexpected-response', (_, r) => resolve(r.statusCode)));
  socket.on('error', () => {});
  socket.terminate();
  expect(status).toBe(404);
});

it('sends events in the order of the writes', async () => {
  const socket = await connect();
  await socket.subscribe('s', ['databases.d.collections.pub.documents.create']);
  const ids = Array.from({ length: 20 }, (_, i) => `order-${i}`);
  for (const id of ids) await write('pub', id);
  const came: string[] = [];
  for (const _ of ids) came.push((await socket.next()).data.payload.$id);
  expect(came).toEqual(ids);
});

it('adds to a subscription whose id is used again, replaces a channel’s queries, and takes all or nothing', async () => {
  const socket = await connect();
  const never = '{"method":"isNull","attribute":"$id"}';
  await socket.subscribe('s', ['documents'], [never]);
  const { data } = await socket.subscribe('s', ['rows']);
  expect(data.subscriptions[0].channels).toEqual(['rows']);
  await write('pub', 'added');
  expect((await socket.next()).data.subscriptions).toEqual(['s']);
  await socket.subscribe('s', ['rows'], [never]);
  const good = { subscriptionId: 'good', channels: ['documents'] };
  const bad = { ...good, subscriptionId: 'bad', queries: ['{"method":"search","values":["x"]}'] };
  expect((await socket.ask({ type: 'subscribe', data: [good, bad] })).data.code).toBe(1003);
  await write('pub', 'replaced');
  expect(await socket.rest()).toEqual([]);
});

it('allows a thousand channels per connection', async () => {
  const socket = await connect();
  const channels = Array.from({ length: 100 }, (_, i) => `c${i}`);
  for (let n = 0; n < 10; n++) expect((await socket.subscribe(`s${n}`, channels)).type).toBe('response');
  expect((await socket.subscribe('s10', ['one-more'])).data.message).toContain('at most 1000 channels');
});

it('closes the socket when its session ends', async () => {
  const { cookies } = await backend.signUp('carl@example.com');
  const socket = await connect({ headers: { cookie: cookies } });
  await backend.request('DELETE', '/account/sessions/current', { cookies });
  expect(await socket.closed).toBe(4401);
});

it('counts a new label at once', async () => {
  const { userId, cookies } = await backend.signUp('emil@example.com');
  await backend.collection('vip', { attributes, permissions: ['read("label:vip")'] });
  const socket = await connect({ headers: { cookie: cookies } });
  await socket.subscribe('s', ['documents']);
  await write('vip', 'one');
  expect(await socket.rest()).toEqual([]);
  await byKey('PUT', `/users/${userId}/labels`, { labels: ['vip'] });
  await write('vip', 'two');
  expect((await socket.next()).data.payload.$id).toBe('two');
});

it('answers a binary message with an error, and ends the connection on one that is too large', async () => {
  const socket = await connect();
  socket.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
  expect((await socket.next()).data.code).toBe(1003);
  expect(await socket.rest()).toEqual([]);
  socket.socket.send('x'.repeat(600_000));
  expect(await socket.closed).toBe(1009);
});

it('refuses the 129th connection of a minute, and says good-bye when the server stops', async () => {
  // Keeps all connections in one rate-limit window.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const limited = await startTestBackend({ rateLimits: true });
  const sockets = Array.from({ length: 128 }, () => openSocket(limited.origin));
  for (const socket of sockets) expect((await socket.next()).type).toBe('connected');
  const refused = openSocket(limited.origin);
  expect((await refused.next()).data.code).toBe(1013);
  expect(await refused.closed).toBe(1013);
  await limited.stop();
  expect(await sockets[0]?.closed).toBe(1001);
});
