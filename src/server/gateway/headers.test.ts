import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send, startGateway, startMirror, type TestGateway } from '../../../tests/support/gateway.ts';

let remote: Awaited<ReturnType<typeof startMirror>>;
let site: TestGateway;
let secureSite: TestGateway;
const LONG = 'Expires=Wed, 01 Jan 2031 00:00:00 GMT';

beforeAll(async () => {
  remote = await startMirror([
    'Set-Cookie',
    `a_session_blog_legacy=abc; Path=/; ${LONG}; Domain=.appwrite.example; HttpOnly`,
    'Set-Cookie',
    `a_session_blog=abc; Path=/; ${LONG}; domain=.appwrite.example; Secure; HttpOnly; SameSite=None`,
    ...['X-Fallback-Cookies', '{"a_session_blog":"abc"}', 'Strict-Transport-Security', 'max-age=10886400'],
    ...['Alt-Svc', 'h3=":443"', 'Access-Control-Allow-Origin', 'https://app.example', 'X-Appwrite-Warning', 'old'],
    ...['Access-Control-Allow-Credentials', 'true'],
  ]);
  site = await startGateway(remote.origin, 'blog');
  secureSite = await startGateway(remote.origin, 'blog', 'https://ink.example');
});
beforeEach(() => remote.seen.splice(0));
afterAll(async () => {
  await Promise.all([site.stop(), secureSite.stop()]);
  await remote.stop();
});

const asked = () => remote.seen.at(-1)?.headers ?? expect.fail();

describe('request headers', () => {
  it('pass the session’s cookies only, in any case', async () => {
    await send(`${site.origin}/v1/account`, { headers: { cookie: 'theme=dark; A_Session_Blog=1; a_session_other=2' } });
    expect(asked().cookie).toBe('A_Session_Blog=1');
    await send(`${site.origin}/v1/account`, { headers: { cookie: 'theme=dark' } });
    expect(asked()).not.toHaveProperty('cookie');
  });

  it('lose the site’s own Origin and Referer, under its public and its called name', async () => {
    for (const origin of [site.origin, 'http://localhost:1']) {
      await send(`${site.origin}/v1/account`, {
        headers: { origin, referer: `${origin}/login`, host: origin.slice('http://'.length) },
      });
      expect(asked()).not.toHaveProperty('origin');
      expect(asked()).not.toHaveProperty('referer');
    }
    await send(`${secureSite.origin}/v1/account`, { headers: { origin: 'https://ink.example' } });
    expect(asked()).not.toHaveProperty('origin');
  });

  it('pass a foreign Origin', async () => {
    await send(`${site.origin}/v1/account`, { headers: { origin: 'https://evil.example' } });
    expect(asked().origin).toBe('https://evil.example');
    await send(`${site.origin}/v1/account`, { headers: { origin: 'null' } });
    expect(asked().origin).toBe('null');
  });

  it.each(['http://ink.example', 'https://ink.example:8443', 'https://evil.example'])(
    '%s is foreign to the https site, whatever host was called, and has no session there',
    async (origin) => {
      const host = origin.replace(/^https?:\/\//, '').replace('evil', 'ink');
      await send(`${secureSite.origin}/v1/account`, { headers: { origin, host, cookie: 'a_session_blog=1' } });
      expect(asked().origin).toBe(origin);
      expect(asked()).not.toHaveProperty('cookie');
    },
  );

  it('lose X-Fallback-Cookies', async () => {
    await send(`${site.origin}/v1/account`, { headers: { 'x-fallback-cookies': '{"a_session_blog":"x"}' } });
    expect(asked()).not.toHaveProperty('x-fallback-cookies');
  });

  it('carry the client’s address as this server knows it', async () => {
    await send(`${site.origin}/v1/account`, {
      headers: { 'x-forwarded-for': '1.2.3.4', 'x-real-ip': '1.2.3.4', forwarded: 'for=1.2.3.4' },
    });
    expect(asked()).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(JSON.stringify(asked())).not.toContain('1.2.3.4');
  });

  it('carry the remote’s host, and lose those of the connection', async () => {
    await send(`${site.origin}/v1/account`, { headers: { connection: 'x-mine', 'x-mine': '1', 'x-appwrite-id': 'f' } });
    expect(asked()).toMatchObject({ host: remote.origin.slice('http://'.length), 'x-appwrite-id': 'f' });
    expect(asked()).not.toHaveProperty('x-mine');
  });

  it('keep a body of unknown length framed, so it is never read as a request', async () => {
    const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    await send(`${site.origin}/v1/account`, {
      method: 'DELETE',
      headers: { 'transfer-encoding': 'chunked' },
      body: smuggled,
    });
    await send(`${site.origin}/v1/account`);
    expect(remote.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['DELETE', '/v1/account', smuggled],
      ['GET', '/v1/account', ''],
    ]);
  });

  it.each(['GET', 'DELETE'])(
    'the length of a %s stays, whatever Connection names: its body never becomes a request',
    async (method) => {
      const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
      const headers = { connection: 'content-length', 'content-length': `${smuggled.length}` };
      await send(`${site.origin}/v1/account`, { method, headers, body: smuggled });
      await send(`${site.origin}/v1/account`);
      expect(remote.seen.map(({ url, body }) => [url, body])).toEqual([
        ['/v1/account', smuggled],
        ['/v1/account', ''],
      ]);
    },
  );

  it('are not sent for a path outside of the API', async () => {
    for (const path of ['/v1/../console', '/v1/%2e%2E/console', '/v1/..%2f../console/..', '/v1/a/../../console']) {
      const { status, text } = await send(site.origin + path).catch(() => ({ status: 0, text: '{}' }));
      if (status !== 200) expect([status, JSON.parse(text).type]).toEqual([404, 'general_route_not_found']);
    }
    for (const { url } of remote.seen) expect(url).toMatch(/^\/v1\//);
    const untouched = '/v1/storage/x?queries%5B0%5D=%7B%22a%22%3A1%7D&search=%C3%A9';
    await send(site.origin + untouched);
    expect(remote.seen.at(-1)?.url).toBe(untouched);
  });
});

describe('response headers', () => {
  it('make cookies first-party: no Domain, SameSite=Lax, Secure only on https', async () => {
    const { headers } = await send(`${site.origin}/v1/account`);
    expect(headers['set-cookie']).toEqual([
      `a_session_blog_legacy=abc; Path=/; ${LONG}; HttpOnly; SameSite=Lax`,
      `a_session_blog=abc; Path=/; ${LONG}; HttpOnly; SameSite=Lax`,
    ]);
    const secure = (await send(`${secureSite.origin}/v1/account`)).headers['set-cookie'] ?? [];
    expect(secure).toHaveLength(2);
    for (const cookie of secure) expect(cookie).toMatch(/; SameSite=Lax; Secure$/);
  });

  it('lose X-Fallback-Cookies and those that concern the remote’s host', async () => {
    const { headers } = await send(`${site.origin}/v1/account`);
    for (const name of ['x-fallback-cookies', 'strict-transport-security', 'alt-svc', 'access-control-allow-origin']) {
      expect(headers, name).not.toHaveProperty(name);
    }
    expect(headers['x-appwrite-warning']).toBe('old');
  });

  it('give a foreign page the CORS headers, but no cookies or credentials', async () => {
    const { headers } = await send(`${site.origin}/v1/account`, { headers: { origin: 'https://app.example' } });
    expect(headers['access-control-allow-origin']).toBe('https://app.example');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers).not.toHaveProperty('set-cookie');
  });
});
