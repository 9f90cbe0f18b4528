import { once } from 'node:events';
import {
  Agent,
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerTo } from '#publishing/lending/lender.ts';
import type { PageStore } from '#publishing/page-store.ts';
import { changeUnderReaders, unpublishUnderReaders } from '#publishing/testing/races.ts';
import { ask, startSite, type TestSite } from '#publishing/testing/site.ts';
import { freePort } from '../free-port.ts';
import { adopt } from './pass-on.ts';
import { startReaders } from './readers.ts';

const HOST = '127.0.0.1';
const CHILD = new URL('./testing/thread-child.ts', import.meta.url);

async function readersOf(server: Server, store: Pick<PageStore, 'stamps' | 'lend' | 'wasShown'>, port: number) {
  const thread = { host: HOST, port, stamps: store.stamps.memory, memoryBytes: 1e6, limits: {} };
  const answer = (question: Parameters<typeof answerTo>[1]) => answerTo(store, question);
  const { close } = await startReaders({ count: 2, module: CHILD, thread, site: server, answer });
  return { origin: `http://${HOST}:${port}`, close };
}

const threads: Worker[] = [];
const remember = (worker: Worker) => void threads.push(worker);
let site: TestSite;
beforeEach(async () => {
  process.on('worker', remember);
  const port = await freePort();
  site = await startSite({}, port, (server, store) => readersOf(server, store, port));
});
afterEach(async () => {
  process.off('worker', remember);
  threads.length = 0;
  await site.close();
});

/** Reads on connections of their own, which the system spreads over the threads, until every thread has a copy. */
async function untilHeld(path: string): Promise<void> {
  const fresh = () => ask(new Agent(), site.origin, path);
  await expect
    .poll(
      async () => {
        const before = site.requests;
        for (let i = 0; i < 20; i++) await fresh();
        return site.requests - before;
      },
      { timeout: 15_000 },
    )
    .toBe(0);
}

describe('reader threads', () => {
  test('answer by themselves what the site has answered before, with the same bytes', async () => {
    site.pages.set('/post/one', { html: '<p>one</p>'.repeat(100), tags: ['post:one'] });
    const first = await site.get('/post/one', { 'accept-encoding': 'br' });
    await untilHeld('/post/one');
    await expect
      .poll(async () => (await site.get('/post/one', { 'accept-encoding': 'br' })).headers['x-page'])
      .toMatch(/^hit/);
    const again = await site.get('/post/one', { 'accept-encoding': 'br' });
    expect(again.body).toEqual(first.body);
    const { etag = '' } = again.headers;
    expect(etag).toBe(first.headers.etag);
    expect((await site.get('/post/one', { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304);
    const head = await site.get('/post/one', {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '1000']);
    expect(site.renders).toEqual(['/post/one']);
  });

  test('say how often they have shown a page', async () => {
    site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
    await untilHeld('/post/one');
    const before = site.store.explain('/post/one')?.hits ?? 0;
    for (let i = 0; i < 50; i++) await site.get('/post/one');
    await expect
      .poll(() => site.store.explain('/post/one')?.hits, { timeout: 5000 })
      .toBeGreaterThanOrEqual(before + 50);
  });

  test('show a page no more from the moment it is removed, outdated or replaced', async () => {
    for (const what of ['removed', 'outdated', 'replaced']) {
      site.pages.set('/post/one', { html: 'old', tags: ['post:one'] });
      await site.store.refresh('/post/one', site.store.invalidate({ tags: ['post:one'] }), 'test');
      await untilHeld('/post/one');
      site.pages.set('/post/one', { html: 'new', tags: ['post:one'] });
      const change = site.store.invalidate({ tags: ['post:one'] }, what === 'outdated' ? [] : ['/post/one']);
      if (what === 'removed') await site.store.remove({ paths: ['/post/one'] }, change);
      if (what === 'replaced') await site.store.refresh('/post/one', change, 'test');
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(new Agent(), site.origin, '/post/one')));
      expect([what, ...new Set(answers.map(({ text }) => text))]).toEqual([what, 'new']);
    }
  });

  test('a thousand readers of a cold page cost one render', async () => {
    site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
    site.gate.before = () => sleep(200);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => site.get('/post/one')));
    expect(answers.every(({ status, text }) => status === 200 && text === 'one')).toBe(true);
    expect(site.renders).toEqual(['/post/one']);
  });

  test('two hundred readers, two pages that change a hundred times: never an error, a mix, or an older version after a newer one', async () => {
    expect(await changeUnderReaders(site)).toBeGreaterThan(600);
  }, 120_000);

  test('unpublished under load: after the answer nobody sees it, wherever it was named', async () => {
    expect(await unpublishUnderReaders(site)).toBeGreaterThan(30);
  }, 120_000);

  test('one that ends is replaced', async () => {
    site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
    const begun = threads.length;
    await Promise.all(threads.map((thread) => thread.terminate()));
    await expect.poll(() => threads.length, { timeout: 10_000 }).toBe(begun + 2);
    await expect.poll(() => site.get('/post/one').then(({ text }) => text, String), { timeout: 10_000 }).toBe('one');
  });

  test('whoever sends a large body that the site does not want hears so, and asks again on the same connection', async () => {
    const size = 10_000_000;
    const socket = connect(Number(new URL(site.origin).port), HOST);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size, 'x'));
    socket.write('GET /y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 404']);
  });

  test('one connection carries reads of held pages, other requests, and reads again', async () => {
    site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
    await untilHeld('/post/one');
    const socket = connect(Number(new URL(site.origin).port), HOST);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    const ask = async (bytes: string, answers: number) => {
      socket.write(bytes.replaceAll('\n', '\r\n'));
      await expect.poll(() => text.match(/HTTP\/1\.1 \d+/g)?.length ?? 0, { timeout: 10_000 }).toBe(answers);
    };
    const get = 'GET /post/one HTTP/1.1\nHost: a\n\n';
    await ask(get, 1);
    await ask(get, 2);
    // Two at once, the second in halves, then one that the threads do not know.
    await ask(get + get.slice(0, 9), 3);
    await ask(get.slice(9), 4);
    await ask('POST /api/x HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello', 5);
    await ask(get, 6);
    expect(text.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual([
      '200',
      '200',
      '200',
      '200',
      '404',
      '200',
    ]);
    expect(text.match(/\r\n\r\none/g)?.length).toBe(5);
    socket.destroy();
  });

  test('a port that somebody has is not shared with him', async () => {
    const other = createHttpServer();
    const store = site.store;
    const port = Number(new URL(site.origin).port);
    await expect(readersOf(other, store, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('what reader threads pass on', () => {
  let seen: { address: string | undefined; headers: IncomingMessage['headers']; raw: string[]; body: string }[];
  let origin: string;
  let end: () => Promise<void>;
  beforeEach(async () => {
    seen = [];
    const server = createHttpServer(async (request, response) => {
      adopt(request);
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ address: request.socket.remoteAddress, headers: request.headers, raw: request.rawHeaders, body });
      response.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Sum', String(body.length)]);
      response.write('first ');
      response.end('second');
    });
    server.on('upgrade', (request, socket) => {
      adopt(request);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\nX-Address: ${request.socket.remoteAddress}\r\n\r\n`,
      );
      socket.pipe(socket);
    });
    const readers = await readersOf(server, site.store, await freePort());
    origin = readers.origin;
    end = async () => {
      await readers.close();
      server.closeAllConnections();
      server.close();
    };
  });
  afterEach(() => end());

  test('arrives whole, with the client’s address and nothing that it says of itself', async () => {
    const headers = { 'x-common-ink-client': '6.6.6.6', 'x-own': 'kept', 'content-type': 'text/plain' };
    const body = 'word '.repeat(400_000);
    const answer = await fetch(`${origin}/api/x?y=1`, { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([201, 'first second']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(seen[0]?.body).toBe(body);
    expect(seen[0]?.address).toBe(HOST);
    expect(seen[0]?.headers).toMatchObject({ 'x-own': 'kept', host: new URL(origin).host });
    expect(JSON.stringify([seen[0]?.headers, seen[0]?.raw])).not.toMatch(/x-common-ink-client/i);
  });

  test('a request without a body has none', async () => {
    for (const method of ['POST', 'DELETE', 'GET']) expect((await fetch(origin, { method })).status).toBe(201);
    expect(seen.map(({ body, headers }) => [body, headers['transfer-encoding']])).toEqual(
      Array(3).fill(['', undefined]),
    );
  });

  test('an upgraded connection is handed through', async () => {
    const { hostname, port } = new URL(origin);
    const request = httpRequest({ hostname, port, headers: { connection: 'Upgrade', upgrade: 'echo' } });
    request.end();
    const [response, socket] = await once(request, 'upgrade');
    expect(response.headers['x-address']).toBe(HOST);
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
  });
});
