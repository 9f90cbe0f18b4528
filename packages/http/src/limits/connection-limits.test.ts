import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ConnectionLimits, limitConnections, SERVER_OPTIONS } from './connection-limits.ts';

let server: Server;

async function start(limits: ConnectionLimits, options: Partial<typeof SERVER_OPTIONS> = {}): Promise<void> {
  server = createServer({ ...SERVER_OPTIONS, ...options }, (request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(64 * 1024 * 1024));
    else request.resume().on('end', () => response.end('here'));
  });
  limitConnections(server, limits);
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function received(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += chunk;
  return text;
}

async function isAnswered(): Promise<boolean> {
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return (await received(socket).catch(() => '')).includes('here');
}

test.each([
  ['limits the connections of an address', { mostOfAddress: 2 }, false],
  ['limits the connections of all addresses', { most: 2 }, false],
  ['does not limit a trusted proxy', { mostOfAddress: 1, trustedProxies: ['loopback'] }, true],
])('%s until some close', async (_, limits, answered) => {
  await start(limits, { headersTimeout: 600_000 });
  const first = await open();
  await open();
  await expect.poll(isAnswered).toBe(answered);
  first.destroy();
  await expect.poll(isAnswered).toBe(true);
});

test('answers slow headers with 408', async () => {
  await start({}, { headersTimeout: 200, connectionsCheckingInterval: 50 });
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  const drip = setInterval(() => socket.write('X-A: b\r\n'), 50);
  expect(await received(socket).catch(() => 'cut')).toMatch(/^HTTP\/1\.1 408|cut/);
  clearInterval(drip);
});

test('accepts headers of 60 KiB and answers 64 KiB with 431', async () => {
  await start({});
  const { port } = server.address() as AddressInfo;
  const ask = (size: number) => fetch(`http://127.0.0.1:${port}/?${'x'.repeat(size)}`).then(({ status }) => status);
  expect(await ask(60 * 1024)).toBe(200);
  expect(await ask(64 * 1024)).toBe(431);
});

test('cuts off a client that does not read its response', async () => {
  await start({ stalled: 300 });
  const socket = await open();
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  const connections = () => new Promise((resolve) => server.getConnections((_, open) => resolve(open)));
  await expect.poll(connections).toBe(0);
});

test('ignores an offer of another protocol and hands over a WebSocket request', async () => {
  await start({});
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const firstLine = async (upgrade: string) => {
    const socket = await open();
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    return String(answer).split('\r\n', 1)[0];
  };
  for (const offer of ['h2c', 'TLS/1.2, HTTP/1.1']) expect(await firstLine(offer)).toBe('HTTP/1.1 200 OK');
  expect(await firstLine('websocket')).toBe('HTTP/1.1 101 Switching Protocols');
});
