import { once } from 'node:events';
import { Agent, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { limitConnections, SERVER_OPTIONS } from '@common-ink/http/limits/connection-limits.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRevalidate } from '#publishing/revalidate.ts';
import { listen, send } from '../../tests/support/gateway.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';
import { type FastPath, openFastPath } from './fast-path.ts';
import type { PageStore } from './page-store.ts';

const HOST = '127.0.0.1';
/** Short limits in milliseconds. `headersTimeout` is longer so that a slow machine has time to send a request. */
const SILENCE = { headersTimeout: 5000, keepAliveTimeout: 150 };
let site: TestSite;
let server: Server;
let fastPath: FastPath;
/** The server's side of each connection, in the order in which they were opened. */
let sockets: Socket[];

async function start(silence: typeof SILENCE = SERVER_OPTIONS, mostOfAddress = 2000): Promise<void> {
  sockets = [];
  site = await startSite({}, async (http, store) => {
    server = http;
    // Looks up the store on each call, because a restart of the site replaces it.
    const currentVariant: PageStore['currentVariant'] = (...read) => (site?.store ?? store).currentVariant(...read);
    fastPath = openFastPath(http, { ...silence, currentVariant });
    limitConnections(http, { mostOfAddress });
    http.on('connection', (socket: Socket) => void sockets.push(socket));
    return { origin: await listen(http), close: async () => fastPath.closeAll() };
  });
  site.pages.set('/post/one', { html: '<p>one</p>'.repeat(100), tags: ['post:one'] });
  await site.get('/post/one');
}
beforeEach(() => start());
afterEach(() => site.close());

class Line {
  readonly socket = connect({ port: Number(new URL(site.origin).port), host: HOST, allowHalfOpen: true });
  text = '';

  constructor() {
    this.socket.setEncoding('latin1').on('data', (chunk) => {
      this.text += chunk;
    });
    this.socket.on('error', () => undefined);
  }

  get answers(): string[] {
    return Array.from(this.text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status as string);
  }

  /** Sends `bytes` and waits until this connection has received `answers` responses in total. */
  async ask(bytes: string, answers: number): Promise<void> {
    this.socket.write(bytes.replaceAll('\n', '\r\n'));
    await expect.poll(() => this.answers.length).toBe(answers);
  }

  async closed(): Promise<void> {
    if (!this.socket.readableEnded && !this.socket.destroyed)
      await Promise.race([once(this.socket, 'end'), once(this.socket, 'close')]);
    this.socket.destroy();
  }
}

const GET = 'GET /post/one HTTP/1.1\nHost: a\n\n';
const LONG_GET = GET.replace('one', 'long').replaceAll('\n', '\r\n');

/** Requests a page of `length` bytes without reading the response. Resolves when the server pauses the connection. */
async function unreadAnswer(length: number): Promise<Socket> {
  site.pages.set('/post/long', { html: 'x'.repeat(length), tags: ['post:long'] });
  await site.get('/post/long');
  const client = connect(Number(new URL(site.origin).port), HOST);
  client.on('error', () => undefined).pause();
  client.write(LONG_GET);
  await expect.poll(() => sockets.at(-1)?.isPaused()).toBe(true);
  return client;
}
const plain = (...headers: string[]) => GET.replace('\n\n', ['', ...headers, '', ''].join('\n'));
/** A request that the fast path always leaves to the HTTP server. */
const ORDINARY = plain('TE: trailers');

test('a plain read of a stored page is answered without the HTTP server, with the same headers and bytes', async () => {
  const before = site.requests;
  for (const headers of [[], ['Accept-Encoding: br'], ['Accept-Encoding: gzip']]) {
    // Repeats the request, so that the fast path also reuses the `Date` header that it caches for a second.
    const line = new Line();
    for (const answers of [1, 2, 3]) await line.ask(plain(...headers), answers);
    expect(site.requests).toBe(before);
  }
  for (const headers of [[], ['Accept-Encoding: br']]) {
    const [one, other] = [new Line(), new Line()];
    const headOf = ({ text }: Line) => text.split('\r\n\r\n', 1)[0]?.replace(/^(Date|X-Page|Keep-Alive): .*$/gm, '$1');
    await one.ask(plain(...headers), 1);
    await other.ask(plain('TE: trailers', ...headers), 1);
    expect(headOf(one)).toBe(headOf(other));
    const bodyOf = ({ text }: Line) => text.slice(text.indexOf('\r\n\r\n'));
    const length = Number(/Content-Length: (\d+)/.exec(one.text)?.[1]) + 4;
    await expect.poll(() => [bodyOf(one).length, bodyOf(other).length]).toEqual([length, length]);
    expect(bodyOf(one)).toBe(bodyOf(other));
  }
  expect(site.requests).toBe(before + 2);
});

test('a plain read of a stored page is 200 without a body for HEAD, and 304 for a matching validator', async () => {
  const before = site.requests;
  const line = new Line();
  await line.ask(GET.replace('GET', 'HEAD'), 1);
  expect(line.text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Content-Length: 1000\r\n.*\r\n\r\n$/s);
  const [, etag] = /ETag: (.*)\r/.exec(line.text) ?? [];
  await line.ask(plain(`If-None-Match: ${etag}`), 2);
  await line.ask(plain('If-None-Match: "other"'), 3);
  expect(line.answers).toEqual(['200', '304', '200']);
  expect(line.text.match(/<p>one/g)?.length).toBe(100);
  expect(site.requests).toBe(before);
});

test('a plain read of a stored page counts as a hit and shows the age of the page', async () => {
  let now = Date.now();
  await site.restart({ now: () => now });
  await site.store.refresh('/post/one', site.store.invalidate({ paths: ['/post/one'] }), 'test');
  now += 7000;
  const line = new Line();
  await line.ask(GET, 1);
  expect(line.text).toContain('X-Page: hit; age=7');
  const before = site.store.explain('/post/one')?.hits ?? 0;
  await line.ask(GET, 2);
  expect(site.store.explain('/post/one')?.hits).toBe(before + 1);
});

test('a plain read of an outdated or removed page is left to the HTTP server', async () => {
  const line = new Line();
  await line.ask(GET, 1);
  site.pages.set('/post/one', { html: 'two', tags: ['post:one'] });
  site.store.invalidate({ tags: ['post:one'] });
  await line.ask(GET, 2);
  await expect.poll(() => line.text).toMatch(/two$/);
  const other = new Line();
  await other.ask(GET, 1);
  site.pages.delete('/post/one');
  await site.store.remove({ tags: ['post:one'] });
  await other.ask(GET, 2);
  expect(other.answers).toEqual(['200', '404']);
});

test('a connection carries several reads in order', async () => {
  site.pages.set('/post/two', { html: '<p>two</p>', tags: ['post:two'] });
  await site.get('/post/two');
  const line = new Line();
  await line.ask(GET, 1);
  await line.ask(GET + GET.replace('one', 'two') + GET, 4);
  const lastWords = Array.from(line.text.matchAll(/<p>(\w+)<\/p>(?!<)/g), ([, word]) => word);
  expect(lastWords).toEqual(['one', 'one', 'two', 'one']);
});

test('a connection accepts a read in pieces', async () => {
  for (const cut of [1, 10, GET.length - 1]) {
    const line = new Line();
    await line.ask(GET, 1);
    await line.ask(GET.slice(0, cut), 1);
    await line.ask(GET.slice(cut), 2);
    expect(line.answers).toEqual(['200', '200']);
  }
});

test('a connection accepts a request with a body after a read', async () => {
  const post = 'POST /api/x HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello';
  for (const cut of [GET.length, GET.length + post.length - 3, 0]) {
    const [first, second] = [(GET + post).slice(0, cut), (GET + post).slice(cut)];
    const line = new Line();
    line.socket.write(first.replaceAll('\n', '\r\n'));
    if (first) await expect.poll(() => line.answers[0]).toBe('200');
    await line.ask(second, 2);
    await line.ask(GET, 3);
    expect(line.answers).toEqual(['200', '404', '200']);
  }
});

test('a connection ends after a response when the client closes its side', async () => {
  for (const request of [GET, ORDINARY]) {
    const [said, halved] = [new Line(), new Line()];
    await said.ask(request.replace('\n\n', '\nConnection: close\n\n'), 1);
    await said.closed();
    halved.socket.end(request.replaceAll('\n', '\r\n'));
    await halved.closed();
    for (const { text } of [said, halved]) expect(text).toMatch(/^HTTP\/1\.1 200.*<p>one<\/p>$/s);
  }
});

test('a connection can become a WebSocket after a read', async () => {
  server.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  const line = new Line();
  await line.ask(GET, 1);
  await line.ask('GET /v1/realtime HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: echo\n\n', 2);
  line.socket.write('hello');
  await expect.poll(() => line.text).toMatch(/101 Switching.*\r\n\r\nhello$/s);
  line.socket.end();
});

test('a connection pauses while the client does not read', async () => {
  const length = 4 * 1024 * 1024;
  const client = await unreadAnswer(length);
  for (let i = 1; i < 10; i++) client.write(LONG_GET);
  await expect.poll(() => client.writableLength).toBe(0);
  expect(sockets.at(-1)?.isPaused()).toBe(true);
  expect(sockets.at(-1)?.writableLength).toBeLessThan(2 * length);
  let received = 0;
  for await (const chunk of client) {
    received += (chunk as Buffer).length;
    if (received > 10 * length) break;
  }
  expect(received).toBeGreaterThan(10 * length);
});

describe('limits', () => {
  beforeEach(() => site.close());

  test('closes a silent connection, before its first request and after it', async () => {
    await start(SILENCE);
    const [silent, reader] = [new Line(), new Line()];
    await reader.ask(GET, 1);
    await Promise.all([silent.closed(), reader.closed()]);
    expect([silent.text, reader.answers]).toEqual(['', ['200']]);
  });

  test('counts the connections of an address', async () => {
    await start(SERVER_OPTIONS, 3);
    const open = [new Line(), new Line()];
    for (const line of open) await line.ask(GET, 1);
    // `start` has sent a request, whose connection counts as the first of the three allowed.
    const refused = new Line();
    await refused.closed();
    open[0]?.socket.destroy();
    const answers = async () => {
      const line = new Line();
      line.socket.end(GET.replaceAll('\n', '\r\n'));
      await line.closed();
      return line.answers;
    };
    await expect.poll(answers).toEqual(['200']);
  });
});

test('a shutdown closes idle connections and completes responses under way', async () => {
  const length = 8 * 1024 * 1024;
  const idle = new Line();
  await idle.ask(GET, 1);
  const client = await unreadAnswer(length);
  const closed = once(server, 'close');
  server.close();
  fastPath.close();
  server.closeIdleConnections();
  await idle.closed();
  let received = 0;
  for await (const chunk of client) received += (chunk as Buffer).length;
  expect(received).toBeGreaterThan(length);
  await closed;
});

test('a shutdown does not wait for a client that does not read', async () => {
  const client = await unreadAnswer(8 * 1024 * 1024);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  fastPath.closeAll();
  await closed;
  client.destroy();
});

/** Returns a page that repeats its version number, so that a mix of two versions can be detected. */
const version = (n: number) => `<h1>${n}</h1>${`<p>${n}</p>`.repeat(60)}`;

test('under load, never sends an older version after a newer one, nor a mix', async () => {
  await site.store.remove({ paths: ['/post/one'] });
  const paths = ['/post/one', '/'] as const;
  let [written, acknowledged, reads] = [0, 0, 0];
  let isDone = false;
  const write = () => {
    written++;
    for (const path of paths) site.pages.set(path, { html: version(written), tags: ['posts', 'post:one'] });
  };
  write();
  // Delays each render by a few milliseconds before and after it reads the backend.
  site.gate.before = site.gate.after = () => sleep(Math.random() * 4);
  /** For each path, the newest version in any response received so far. */
  const newest = { '/post/one': 0, '/': 0 };
  const read = async (path: (typeof paths)[number], headers: Record<string, string>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (; !isDone; reads++) {
      const floor = Math.max(newest[path], acknowledged);
      const { status, body, headers: given } = await send(site.origin, { agent, headers }, path);
      const html = String(given['content-encoding'] ? brotliDecompressSync(body) : body);
      const seen = Number(/\d+/.exec(html.slice(4))?.[0]);
      expect([status, html]).toEqual([200, version(seen)]);
      expect(seen).toBeGreaterThanOrEqual(floor);
      newest[path] = Math.max(newest[path], seen);
      // Each of the 200 readers pauses between requests, because other tests run on the same machine.
      await sleep(100 + Math.random() * 200);
    }
    agent.destroy();
  };
  const revalidate = createRevalidate({ store: site.store, log: () => undefined });
  const change = async () => {
    for (let i = 0; i < 100; i++) {
      write();
      const { failed } = await revalidate({ slugs: ['one'], from: i % 2 ? 'writer' : 'webhook' });
      expect(failed).toEqual([]);
      acknowledged = written;
      if (i % 10 === 9) await sleep(20);
      // Otherwise, a busy machine might replace each version before its readers have read its file.
      for (let turn = 0; turn < 6; turn++) await nextTurn();
    }
    await expect.poll(() => reads > 600 && newest['/']).toBe(written);
    isDone = true;
  };
  const coded = { 'accept-encoding': 'br' };
  const reading = Array.from({ length: 200 }, (_, i) => read(paths[i % 2] ?? '/', i % 3 ? coded : {}));
  await Promise.all([...reading, change()]);
  expect(newest['/']).toBe(written);
  expect(reads).toBeGreaterThan(600);
});
