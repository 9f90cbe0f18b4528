import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { proxy } from './proxy.ts';
import { createUpstream, type Upstream } from './upstream.ts';

let upstream: Upstream;
let port: number;
/** Resolves to the upstream's response once the upstream has received a request. */
let asked: Promise<ServerResponse>;
/** Resolves to the proxy's response once a client has sent a request. */
let held: Promise<ServerResponse>;
/** Resolves when the proxy receives the upstream's response. */
let heard: Promise<void>;

async function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  const [ask, hold] = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<ServerResponse>()];
  const hear = Promise.withResolvers<void>();
  [asked, held, heard] = [ask.promise, hold.promise, hear.promise];
  const origin = `http://127.0.0.1:${await listening(createServer((_, response) => ask.resolve(response)))}`;
  upstream = { ...createUpstream(new URL(origin), 'The remote', () => {}), answered: hear.resolve };
  const rules = {
    requestHeaders: () => ({}),
    responseHeaders: () => ({}),
    unreachable: (response: ServerResponse) => void response.writeHead(502).end(),
  };
  const server = createServer((request, response) => {
    hold.resolve(response);
    proxy(upstream, rules, new URL(origin), request, response);
  });
  port = await listening(server);
});
afterEach(() => upstream.close());

test('keeps a response sent meanwhile and drops the upstream request', async () => {
  const client = fetch(`http://127.0.0.1:${port}/`);
  const dropped = once(await asked, 'close');
  (await held).writeHead(503).end();
  expect((await client).status).toBe(503);
  await dropped;
});

test('drops a response that arrives while another is being sent', async () => {
  const length = 16 * 1024 * 1024;
  const client = connect(port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const late = await asked;
  // The body exceeds the connection's buffers, so it cannot be sent in full while the client is not reading.
  (await held).writeHead(503, { 'content-length': length }).end(Buffer.alloc(length));
  late.end('late');
  await heard;
  const received = await buffer(client);
  expect(received.toString('latin1', 0, 12)).toBe('HTTP/1.1 503');
  expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(length);
});
