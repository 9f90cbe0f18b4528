import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { WEBHOOK_PATH } from '#api/handlers/webhook.ts';
import { send } from '../support/gateway.ts';
import { rawHead } from '../support/raw-head.ts';
import { expect, ownSite, type RunningSite, removeSite, withShared } from './site.ts';

const TOKEN = 'token-of-the-operator';
const SECRET = 'secret-of-the-bad-webhook';
const TEN_MEGABYTES = 10 * 1024 * 1024;

async function openOwn() {
  const environment = { REBUILD_TOKEN: TOKEN, WEBHOOK_SECRET: SECRET, TRUSTED_PROXIES: 'loopback' };
  const site = await ownSite({ environment });
  const writer = await site.writer();
  const { id: slug } = await site.post(writer, { title: 'The one post' });
  return { site, writer, slug, [Symbol.asyncDispose]: () => removeSite(site) };
}

const test = withShared('own', openOwn);
test.describe.configure({ mode: 'default' });

/** Sends a request with exactly this path, which `fetch` would normalise. */
const ask = ({ url }: RunningSite, path: string, request?: Parameters<typeof send>[1]) => send(url, request, path);

/** Returns the statuses of a POST that sends its complete body and of a second request on the same connection. */
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

const bearer = { authorization: `Bearer ${TOKEN}` };
const files = (site: RunningSite): string[] =>
  readdirSync(join(site.dataDirectory, 'pages', 'public'), { recursive: true, encoding: 'utf8' }).sort();
async function storesNothing(site: RunningSite, work: () => Promise<unknown>): Promise<void> {
  // A rebuild responds only after the store has written every page that the site has served. A busy site answers 503 if
  // it could not render a page in time.
  await expect.poll(async () => (await site.rebuild()).status, { timeout: 600_000 }).toBe(200);
  const before = files(site);
  await work();
  expect(files(site)).toEqual(before);
}

test('redirects or refuses other forms of an address @embedded', async ({ own: { site, slug } }) => {
  const post = `/post/${slug}`;
  await ask(site, post);
  await storesNothing(site, async () => {
    for (const [path, location] of [
      [post.toUpperCase(), post],
      [`/./%70ost/${slug}/?a=b`, `${post}?a=b`],
      ['/page/1', '/'],
    ] as const) {
      const { status, headers } = await ask(site, path);
      expect([path, status, headers.location]).toEqual([path, 301, location]);
    }
    const outside = ['/../../etc/passwd', '/post/..%2f..%2fetc%2fpasswd', '/post/%0d%0aset-cookie:%20a=b'];
    const files = ['/_astro/../../server/entry.mjs', '/_astro/%2e%2e/%2e%2e/server/entry.mjs'];
    for (const path of [...outside, ...files]) {
      const { status, headers } = await ask(site, path);
      expect([path, status, headers['cache-control']]).toEqual([path, 400, 'no-store']);
    }
    const posts = ['/post/none', '/post/-x', `/post/${'x'.repeat(37)}`, '/post/x/y'];
    for (const path of [...posts, '/page/0', '/page/9999999', '/archive/1999', '/archive/x'])
      expect([path, (await ask(site, path)).status]).toEqual([path, 404]);
    expect((await ask(site, `/${'x'.repeat(70_000)}`)).status).toBe(431);
  });
  const { status, text } = await ask(site, '/search?q=100%');
  expect([status, text.includes('Nothing was found for “100%”')]).toEqual([200, true]);
  for (const [path, status] of Object.entries({ '/post/none': 404, '/../x': 400 }))
    expect((await ask(site, `/api/pages?path=${path}`, { headers: bearer })).status).toBe(status);
});

test('answers unknown addresses with a page or JSON, uncached @embedded', async ({ own: { site } }) => {
  for (const path of ['/nowhere', '/page/0', '/humans.txt', '/sitemap-9.xml', '/post/none/share.png']) {
    const { status, headers, text } = await ask(site, path);
    expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store']);
    expect(text, path).toContain('No route matches URL');
  }
  const headers = { 'content-type': 'application/json' };
  for (const request of [{}, { method: 'POST', headers, body: '{}' }]) {
    const { status, text } = await ask(site, '/api/nothing', request);
    expect([status, JSON.parse(text)]).toEqual([404, { error: 'No route matches URL' }]);
  }
  const { status, headers: sent, text } = await ask(site, '/api/%ZZ');
  expect([status, sent['content-type'], JSON.parse(text)]).toEqual([400, 'application/json', { error: 'Bad Request' }]);
});

test('sends the same page under any host name @embedded', async ({ own: { site, slug } }) => {
  const whole = async (path: string, headers: Record<string, string> = {}) => {
    for (;;) {
      const answer = await ask(site, path, { headers });
      // The not-found page leaves out the newest posts if the backend is slow.
      if (path !== '/nowhere' || answer.text.includes(slug)) return answer;
    }
  };
  for (const path of ['/', `/post/${slug}`, '/login', '/nowhere', '/sitemap.xml', '/feed.xml']) {
    const ours = await whole(path);
    for (const name of ['host', 'x-forwarded-host']) {
      const theirs = await whole(path, { [name]: 'evil.example' });
      expect([path, theirs.status, theirs.text]).toEqual([path, ours.status, ours.text]);
    }
  }
  const redirect = await ask(site, `/post/${slug}/`, { headers: { host: 'evil.example' } });
  expect(redirect.headers.location).toBe(`/post/${slug}`);
});

test('refuses a missing, doubled or malformed host and a malformed target @embedded', async ({ own: { site } }) => {
  const statusOf = async (target: string, ...hosts: string[]) => {
    const headers = hosts.map((host) => ['Host', host] as const);
    return [target, hosts, (await rawHead(Number(new URL(site.url).port), { target, headers })).status];
  };
  for (const target of ['/', '/nowhere', '/api/pages'])
    expect(await statusOf(target, 'a@b')).toEqual([target, ['a@b'], 400]);
  expect(await statusOf('/', 'a', 'b')).toEqual(['/', ['a', 'b'], 400]);
  for (const target of ['*', 'ftp://a/x']) expect(await statusOf(target, 'a')).toEqual([target, ['a'], 400]);
  // A request target in absolute form reaches the same page and the same backend.
  for (const target of ['http://a/login', 'http://a/v1/health/version'])
    expect(await statusOf(target, 'a')).toEqual([target, ['a'], 200]);
});

test('refuses 10 MB at every endpoint and every page @embedded', async ({ own: { site, writer } }) => {
  const body = Buffer.alloc(TEN_MEGABYTES, 'x');
  const session = { cookie: `a_session_common-ink=${writer.session}` };
  const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  for (const [path, headers, expected] of [
    ['/api/rebuild', bearer, 413],
    ['/api/revalidate', session, 413],
    [WEBHOOK_PATH, {}, 413],
    ['/api/pages', bearer, 405],
    ['/', {}, 405],
    ['/post/none', {}, 405],
    ['/nowhere', {}, 405],
  ] as [string, Record<string, string>, number][]) {
    const sent = { 'x-forwarded-for': '192.0.2.6', 'content-type': 'application/json', ...headers };
    // The client receives the reason for the refusal while it is still sending the body.
    const announced = await statusesOf(site, path, { ...sent, 'content-length': `${body.length}` }, body);
    expect.soft(announced, path).toEqual([expected, 200]);
    const unannounced = await statusesOf(site, path, { ...sent, 'transfer-encoding': 'chunked' }, chunked);
    expect.soft(unannounced, `${path}, chunked`).toEqual([expected, 200]);
  }
});

test('refuses methods other than reads on pages and files, and logs nothing @embedded', async ({ own: { site } }) => {
  // The server may print its last start-up messages after its first responses.
  await expect.poll(() => site.said).toContain('no owner yet');
  const before = site.said;
  for (const path of ['/', '/nowhere', '/login', '/search?q=ink', '/favicon.svg', '/_astro/nothing.js']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']) {
      const { status, headers, text } = await ask(site, path, { method });
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET, HEAD']);
      expect(text).toContain('Method Not Allowed');
    }
  }
  // Astro would fail on TRACE, because `Request` rejects this method. So the server must refuse it first.
  for (const path of ['/api/rebuild', WEBHOOK_PATH])
    expect([path, (await ask(site, path, { method: 'TRACE' })).status]).toEqual([path, 405]);
  expect(site.said).toBe(before);
});
