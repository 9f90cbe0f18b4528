import { afterAll, beforeEach, expect, it } from 'vitest';
import { send, startGateway, startMirror } from '../../../tests/support/gateway.ts';

const LONG = 'Expires=Wed, 01 Jan 2031 00:00:00 GMT';
const remote = await startMirror([
  ...['Set-Cookie', `a_session_blog_legacy=abc; Path=/; ${LONG}; Domain=.appwrite.example; HttpOnly`, 'Set-Cookie'],
  `a_session_blog=abc; Path=/; ${LONG}; domain=.appwrite.example; Secure; HttpOnly; SameSite=None`,
  ...['X-Fallback-Cookies', '{"a_session_blog":"abc"}', 'Strict-Transport-Security', 'max-age=10886400'],
  ...['Alt-Svc', 'h3=":443"', 'Access-Control-Allow-Origin', 'https://app.example', 'X-Appwrite-Warning', 'old'],
  ...['Access-Control-Allow-Credentials', 'true'],
]);
const site = await startGateway(remote.origin, 'blog');
const secureSite = await startGateway(remote.origin, 'blog', 'https://ink.example');
beforeEach(() => remote.seen.splice(0));
afterAll(async () => {
  await Promise.all([site.stop(), secureSite.stop()]);
  await remote.stop();
});

const asked = () => remote.seen.at(-1)?.headers ?? expect.fail();

/** Sends headers to the site and returns those that the remote received. */
async function passedOn(headers: Record<string, string>, { origin } = site) {
  await send(`${origin}/v1/account`, { headers });
  return asked();
}

it.each<[name: string, sent: string, passed: string | undefined, more?: Record<string, string>]>([
  ['cookie', 'a=1; A_Session_Blog=1; a_session_other=2', 'A_Session_Blog=1'],
  ['cookie', 'theme=dark', undefined],
  ['origin', 'https://evil.example', 'https://evil.example'],
  ['origin', 'null', 'null'],
  ['x-fallback-cookies', '{"a_session_blog":"x"}', undefined],
  ['x-forwarded-for', '1.2.3.4', '127.0.0.1'],
  ['x-real-ip', '1.2.3.4', undefined],
  ['forwarded', 'for=1.2.3.4', undefined],
  ['x-mine', '1', undefined, { connection: 'x-mine' }],
  ['x-appwrite-id', 'f', 'f', { connection: 'x-mine' }],
])('request headers pass %s: %s as %s', async (name, sent, passed, more = {}) => {
  const received = await passedOn({ ...more, [name]: sent });
  expect([received[name], received.host]).toEqual([passed, remote.origin.slice('http://'.length)]);
});

it('request headers lose the site’s own Origin and Referer, under its public and its called name', async () => {
  for (const origin of [site.origin, 'http://localhost:1']) {
    const received = await passedOn({ origin, referer: `${origin}/login`, host: origin.slice('http://'.length) });
    expect([received.origin, received.referer]).toEqual([undefined, undefined]);
  }
  expect((await passedOn({ origin: 'https://ink.example' }, secureSite)).origin).toBeUndefined();
});

it.each(['http://ink.example', 'https://ink.example:8443', 'https://evil.example'])(
  '%s is foreign to the https site, whatever host was called, and has no session there',
  async (origin) => {
    const host = origin.replace(/^https?:\/\//, '').replace('evil', 'ink');
    const received = await passedOn({ origin, host, cookie: 'a_session_blog=1' }, secureSite);
    expect([received.origin, received.cookie]).toEqual([origin, undefined]);
  },
);

it.each([
  ['GET', { connection: 'content-length', 'content-length': '38' }],
  ['DELETE', { connection: 'content-length', 'content-length': '38' }],
  ['DELETE', { 'transfer-encoding': 'chunked' }],
])('request headers keep the body of a %s with %j framed: it is never read as a request', async (method, headers) => {
  const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  await send(`${site.origin}/v1/account`, { method, headers, body: smuggled });
  await send(`${site.origin}/v1/account`);
  const seen = remote.seen.map(({ method, url, body }) => `${method} ${url} ${body}`);
  expect(seen).toEqual([`${method} /v1/account ${smuggled}`, 'GET /v1/account ']);
});

it('request headers are not sent for a path outside of the API', async () => {
  for (const path of ['/v1/../console', '/v1/%2e%2E/console', '/v1/..%2f../console/..', '/v1/a/../../console']) {
    const { status, text } = await send(site.origin + path).catch(() => ({ status: 0, text: '{}' }));
    if (status !== 200) expect([status, JSON.parse(text).type]).toEqual([404, 'general_route_not_found']);
  }
  for (const { url } of remote.seen) expect(url).toMatch(/^\/v1\//);
  const untouched = '/v1/storage/x?queries%5B0%5D=%7B%22a%22%3A1%7D&search=%C3%A9';
  await send(site.origin + untouched);
  expect(remote.seen.at(-1)?.url).toBe(untouched);
});

it('response headers make cookies first-party: no Domain, SameSite=Lax, Secure only on https', async () => {
  const { headers } = await send(`${site.origin}/v1/account`);
  expect(headers['set-cookie']).toEqual([
    `a_session_blog_legacy=abc; Path=/; ${LONG}; HttpOnly; SameSite=Lax`,
    `a_session_blog=abc; Path=/; ${LONG}; HttpOnly; SameSite=Lax`,
  ]);
  const secure = (await send(`${secureSite.origin}/v1/account`)).headers['set-cookie'] ?? [];
  expect(secure).toHaveLength(2);
  for (const cookie of secure) expect(cookie).toMatch(/; SameSite=Lax; Secure$/);
});

it('response headers lose X-Fallback-Cookies and those that concern the remote’s host', async () => {
  const { headers } = await send(`${site.origin}/v1/account`);
  for (const name of ['x-fallback-cookies', 'strict-transport-security', 'alt-svc', 'access-control-allow-origin'])
    expect(headers, name).not.toHaveProperty(name);
  expect(headers['x-appwrite-warning']).toBe('old');
});

it('response headers give a foreign page the CORS headers, but no cookies or credentials', async () => {
  const { headers } = await send(`${site.origin}/v1/account`, { headers: { origin: 'https://app.example' } });
  expect(headers['access-control-allow-origin']).toBe('https://app.example');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('set-cookie');
});
