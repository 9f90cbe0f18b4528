import { readdirSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { WEBHOOK_PATH, webhookSignature } from '#api/handlers/webhook.ts';
import { expect, ownSite, type RunningSite, removeSite, test as served, type Writer } from './site.ts';

const TOKEN = 'token-of-the-operator';
const SECRET = 'secret-of-the-bad-webhook';
const TEN_MEGABYTES = 10 * 1024 * 1024;

const test = served.extend<object, { own: { site: RunningSite; writer: Writer; slug: string } }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixtures used from a destructured parameter
    async ({}, use) => {
      const environment = { REBUILD_TOKEN: TOKEN, WEBHOOK_SECRET: SECRET, TRUSTED_PROXIES: 'loopback' };
      const site = await ownSite({ environment });
      const writer = await site.writer();
      const { id: slug } = await site.post(writer, { title: 'The one post' });
      await use({ site, writer, slug });
      await removeSite(site);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

interface Raw {
  readonly agent?: Agent;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}
interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends the path unchanged; resolves also when the answer comes before the body is sent. */
function ask(
  site: RunningSite,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Raw = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method, headers, agent: agent ?? false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    call.on('error', reject).end(body);
  });
}

/** Returns the statuses of a POST with its whole body and of a second request on the same connection. */
function statusesOf(site: RunningSite, path: string, headers: Record<string, string>, body: Buffer): Promise<number[]> {
  const { host, hostname, port } = new URL(site.url);
  const lines = (all: Record<string, string>) =>
    Object.entries({ host, ...all }).map((pair) => `${pair.join(': ')}\r\n`);
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const statuses = () => resolve(Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status)));
  socket.on('error', () => undefined).on('close', statuses);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines(headers).join('')}\r\n`);
  socket.write(body);
  socket.write(`GET /robots.txt HTTP/1.1\r\n${lines({ connection: 'close' }).join('')}\r\n`);
  return promise;
}

/** Gives each test its own client address, so that tests do not share rate limits. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const json = (body: unknown, headers: Record<string, string> = {}): Raw => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const files = (site: RunningSite): string[] =>
  readdirSync(join(site.dataDirectory, 'pages', 'public'), { recursive: true, encoding: 'utf8' }).sort();
const explained = (site: RunningSite, path: string) =>
  ask(site, `/api/pages?path=${encodeURIComponent(path)}`, { headers: { authorization: `Bearer ${TOKEN}` } });
/** Resolves when the store has written every page that it served: a rebuild answers only after that. */
async function allStored(site: RunningSite): Promise<void> {
  const authorization = { authorization: `Bearer ${TOKEN}` };
  expect((await ask(site, '/api/rebuild', json({ all: true }, authorization))).status).toBe(200);
}
async function storesNothing(site: RunningSite, work: () => Promise<unknown>): Promise<void> {
  await allStored(site);
  const before = files(site);
  await work();
  expect(files(site)).toEqual(before);
}

/** `page-store.test.ts` asks the store alone for ten thousand. */
const QUERIES = 1000;

test('a thousand query strings are one page @embedded', async ({ own: { site } }) => {
  await ask(site, '/');
  await storesNothing(site, async () => {
    const { hits: before, ...page } = JSON.parse((await explained(site, '/')).text);
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const answers = Array.from({ length: QUERIES }, (_, i) =>
      ask(site, `/?q=${i}&utm_source=${'x'.repeat(i % 200)}`, { agent, method: 'HEAD' }),
    );
    for (const { status, headers } of await Promise.all(answers)) {
      expect([status, `${headers['x-page']}`.slice(0, 3)]).toEqual([200, 'hit']);
    }
    agent.destroy();
    const { hits, ...same } = JSON.parse((await explained(site, '/')).text);
    expect([hits - before, same]).toEqual([QUERIES, page]);
  });
});

test('other forms of an address lead to the one, and impossible ones are refused @embedded', async ({
  own: { site, slug },
}) => {
  const post = `/post/${slug}`;
  await ask(site, post);
  await storesNothing(site, async () => {
    for (const [path, location] of [
      [post.toUpperCase(), post],
      [`${post}/`, post],
      [`/${post}`, post],
      [`/%70ost/${slug}?a=b`, `${post}?a=b`],
      [`${post}/index.html`, post],
      [`/./post/${slug}`, post],
      ['/index.html', '/'],
      ['/page/1', '/'],
      ['/page/002', '/page/2'],
      ['/FEED.xml', '/feed.xml'],
    ] as const) {
      const { status, headers } = await ask(site, path);
      expect([path, status, headers.location]).toEqual([path, 301, location]);
    }
    for (const path of [
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      `${post}/..`,
      '/post/..%2f..%2fetc%2fpasswd',
      '/post/%00',
      `${post}%00.html`,
      '/post/%0d%0aset-cookie:%20a=b',
      '/post/\\..\\..\\x',
      '/%c0%ae%c0%ae/',
      '/%',
      '/_astro/../../server/entry.mjs',
      '/_astro/%2e%2e/%2e%2e/server/entry.mjs',
    ]) {
      const { status, headers } = await ask(site, path);
      expect([path, status, headers['cache-control']]).toEqual([path, 400, 'no-store']);
    }
    for (const path of ['/post/none', '/post/-x', `/post/${'x'.repeat(37)}`, '/post/x/y', '/page/0', '/page/9999999']) {
      expect([path, (await ask(site, path)).status]).toEqual([path, 404]);
    }
    expect((await ask(site, `/${'x'.repeat(70_000)}`)).status).toBe(431);
  });
  for (const path of ['/post/none', '/page/2']) expect((await explained(site, path)).status).toBe(404);
  expect((await explained(site, '/../x')).status).toBe(400);
});

test('what is not there is a whole page for readers, JSON for callers, and kept by no cache @embedded', async ({
  own: { site },
}) => {
  for (const path of [
    '/nowhere',
    '/page/0',
    '/humans.txt',
    '/sitemap-0.xml',
    '/sitemap-9.xml',
    '/post/none/share.png',
  ]) {
    const { status, headers, text } = await ask(site, path);
    expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store']);
    expect(text, path).toContain('No route matches URL');
  }
  for (const method of ['GET', 'POST']) {
    const { status, text } = await ask(site, '/api/nothing', method === 'POST' ? json('{}') : {});
    expect([status, JSON.parse(text)]).toEqual([404, { error: 'No route matches URL' }]);
  }
});

test('a search that was typed into the address is answered, per cent signs and all @embedded', async ({
  own: { site },
}) => {
  for (const [query, shown] of [
    ['100%', '“100%”'],
    ['%zz', '“%zz”'],
    ['%FF', '“\ufffd”'],
  ] as const) {
    const { status, text } = await ask(site, `/search?q=${query}`);
    expect([query, status]).toEqual([query, 200]);
    expect(text).toContain(`Nothing was found for ${shown}`);
  }
  const { text } = await ask(site, '/search?q=%00%01');
  expect(text).not.toContain('Nothing was found');
});

test('a page is the same under anybody’s host name @embedded', async ({ own: { site, slug } }) => {
  for (const path of ['/', `/post/${slug}`, '/login', '/nowhere', '/sitemap.xml', '/feed.xml']) {
    const [ours, theirs] = [await ask(site, path), await ask(site, path, { headers: { host: 'evil.example' } })];
    expect([path, theirs.status, theirs.text]).toEqual([path, ours.status, ours.text]);
  }
  const redirect = await ask(site, `/post/${slug}/`, { headers: { host: 'evil.example' } });
  expect(redirect.headers.location).toBe(`/post/${slug}`);
  expect((await ask(site, '/', { headers: { 'x-forwarded-host': 'evil.example' } })).text).not.toContain(
    'evil.example',
  );
});

test('a host that is none, two of them, or a target that is none: 400, and nothing is rendered @embedded', async ({
  own: { site },
}) => {
  const { hostname, port } = new URL(site.url);
  const statusOf = async (target: string, ...hosts: string[]) => {
    const socket = connect(Number(port), hostname);
    const named = hosts.map((host) => `Host: ${host}\r\n`).join('');
    // Leaves the socket open: the server does not answer a client that has hung up.
    socket.write(`GET ${target} HTTP/1.1\r\n${named}Connection: close\r\n\r\n`);
    const answer = Buffer.concat(await Array.fromAsync(socket)).toString('latin1');
    return [target, hosts, Number(answer.slice(9, 12))];
  };
  for (const host of ['', 'a@b', '[::1', '1.2.3.999', '"<b>']) {
    for (const target of ['/', '/nowhere', '/api/pages'])
      expect(await statusOf(target, host)).toEqual([target, [host], 400]);
  }
  expect(await statusOf('/', 'a', 'b')).toEqual(['/', ['a', 'b'], 400]);
  for (const target of ['*', 'ftp://a/x']) expect(await statusOf(target, 'a')).toEqual([target, ['a'], 400]);
  // A target in absolute form gets the same page and the same backend.
  expect(await statusOf('http://a/login', 'a')).toEqual(['http://a/login', ['a'], 200]);
  expect(await statusOf('http://a/v1/health/version', 'a')).toEqual(['http://a/v1/health/version', ['a'], 200]);
});

test('a client that offers a newer protocol is answered in this one @embedded', async ({ own: { site, slug } }) => {
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' };
  for (const path of ['/', `/post/${slug}`, '/v1/health/version', '/login'])
    expect([path, (await ask(site, path, { headers: offer })).status]).toEqual([path, 200]);
});

test('a forged webhook is refused, a replayed one does no harm, and guessing ends @embedded', async ({
  own: { site, slug },
}) => {
  const body = JSON.stringify({ $id: slug, status: 'inactive', title: 'Forged' });
  const deliver = (secret: string, address: string, sent = body, action = 'update') =>
    ask(site, WEBHOOK_PATH, {
      ...json(sent, {
        ...from(address),
        'x-appwrite-webhook-events': `databases.blog.collections.articles.documents.${slug}.${action}`,
        'x-appwrite-webhook-signature': webhookSignature(secret, site.url + WEBHOOK_PATH, Buffer.from(body)),
      }),
    });
  expect((await deliver('a-guess-of-the-secret', '192.0.2.1')).status).toBe(401);
  expect((await deliver(SECRET, '192.0.2.1', `${body} `)).status).toBe(401);
  // A delivery recorded at the deletion or unpublishing and replayed now that the post is there: the site asks the
  // backend.
  for (const action of ['update', 'delete']) {
    for (let i = 0; i < 3; i++) expect((await deliver(SECRET, '192.0.2.1', body, action)).status).toBe(200);
  }
  const page = await ask(site, `/post/${slug}`);
  expect([page.status, page.text.includes('The one post'), page.text.includes('Forged')]).toEqual([200, true, false]);
  const statuses = [];
  for (let i = 0; i < 21; i++) statuses.push((await deliver(`guess-${i}`, '192.0.2.2')).status);
  expect([new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([new Set([401]), 429]);
  // Behind an untrusted proxy, strangers share Appwrite's address.
  expect((await deliver(SECRET, '192.0.2.2')).status).toBe(200);
});

test('a wrong token is refused, at length without a check; the right one is always accepted @embedded', async ({
  own: { site },
}) => {
  const rebuild = (token: string, address: string) =>
    ask(site, '/api/rebuild', json({ paths: ['/'] }, { ...from(address), authorization: `Bearer ${token}` }));
  for (let i = 0; i < 10; i++) expect((await rebuild(`guess-number-${i}-of-it`, '192.0.2.4')).status).toBe(401);
  const late = await rebuild('one-guess-more-of-it', '192.0.2.4');
  expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
  expect(JSON.parse(late.text).error).toMatch(/^Too many attempts\. Try again in \d+ s\.$/);
  expect((await rebuild(TOKEN, '192.0.2.4')).status).toBe(200);
});

test('10 MB are too much for every endpoint and every page @embedded', async ({ own: { site, writer } }) => {
  const body = Buffer.alloc(TEN_MEGABYTES, 'x');
  const authorization = `Bearer ${TOKEN}`;
  const session = { cookie: `a_session_common-ink=${writer.session}` };
  const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  for (const [path, headers, expected] of [
    ['/api/rebuild', { authorization }, 413],
    ['/api/revalidate', session, 413],
    [WEBHOOK_PATH, {}, 413],
    ['/api/pages', { authorization }, 405],
    ['/', {}, 405],
    ['/post/none', {}, 405],
    ['/nowhere', {}, 405],
  ] as [string, Record<string, string>, number][]) {
    const sent = { ...from('192.0.2.6'), 'content-type': 'application/json', ...headers };
    // The client learns the reason for the refusal while it is still sending the body.
    const announced = await statusesOf(site, path, { ...sent, 'content-length': `${body.length}` }, body);
    expect.soft(announced, path).toEqual([expected, 200]);
    const unannounced = await statusesOf(site, path, { ...sent, 'transfer-encoding': 'chunked' }, chunked);
    expect.soft(unannounced, `${path}, chunked`).toEqual([expected, 200]);
  }
});

test('pages and files are only read: other methods are refused, everywhere, and leave nothing in the log @embedded', async ({
  own: { site },
}) => {
  const before = site.said;
  for (const path of ['/', '/nowhere', '/login', '/search?q=ink', '/favicon.svg', '/_astro/nothing.js']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']) {
      const { status, headers, text } = await ask(site, path, { method });
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET, HEAD']);
      expect(text).toContain('Method Not Allowed');
    }
  }
  // The framework's `Request` rejects the method TRACE.
  for (const path of ['/api/rebuild', WEBHOOK_PATH])
    expect([path, (await ask(site, path, { method: 'TRACE' })).status]).toEqual([path, 405]);
  expect(site.said).toBe(before);
});

test('a slug that does not exist stores nothing; a slug that cannot be one is refused @embedded', async ({
  own: { site, writer },
}) => {
  const revalidate = (slug: unknown, headers: Record<string, string> = {}) =>
    ask(site, '/api/revalidate', json({ slug }, { cookie: `a_session_common-ink=${writer.session}`, ...headers }));
  await storesNothing(site, async () => {
    expect((await revalidate('never-written')).status).toBe(200);
    for (const slug of ['../x', 'UPPER', '', 'x'.repeat(37), 'a/b', 'a\u0000', 7, null]) {
      expect((await revalidate(slug)).status).toBe(400);
    }
    const origin = await revalidate('never-written', { origin: 'https://evil.example' });
    const guest = await revalidate('never-written', { cookie: 'a_session_common-ink=forged' });
    expect([origin.status, guest.status]).toEqual([403, 401]);
  });
  expect((await explained(site, '/post/never-written')).status).toBe(404);
});
