/** T: CORS and the origin check (contract 1.4). */
import { expect } from 'vitest';
import { refused } from './expect.ts';
import { withWebPlatform } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line, server } from './line.ts';
import { admin, guest } from './people.ts';
import { browser, node, PAGE_ORIGIN } from './sdk.ts';

const EVIL = 'http://evil.test';

const UNKNOWN_ORIGIN = {
  code: 403,
  type: 'general_unknown_origin',
  message:
    'Invalid Origin. Register your new client (evil.test) as a new Web platform on your project console dashboard',
};

const REQUEST_HEADERS = [
  ...['Content-Type', 'Content-Range', 'Range', 'Cache-Control', 'X-Fallback-Cookies', 'X-Requested-With'],
  ...['Project', 'Key', 'JWT', 'Locale', 'Response-Format', 'ID', 'Timestamp', 'Session'].map(
    (name) => `X-Appwrite-${name}`,
  ),
  ...['Version', 'Name', 'Language', 'Platform'].map((name) => `X-SDK-${name}`),
];

function preflight(origin: string): Promise<HttpResponse> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-appwrite-project',
  };
  return guest(server()).http.send('OPTIONS', '/account', undefined, { headers });
}

function list(answer: HttpResponse, header: string): string[] {
  return (answer.header(header) ?? '').split(',').map((name) => name.trim().toLowerCase());
}

line('T01', 'preflight from an allowed origin is answered 204 with that origin and credentials', async () => {
  const answer = (await preflight(PAGE_ORIGIN)).is(204);
  expect(answer.text).toBe('');
  expect(answer.header('access-control-allow-origin')).toBe(PAGE_ORIGIN);
  expect(answer.header('access-control-allow-credentials')).toBe('true');
  expect(answer.header('access-control-max-age')).toBe('86400');
  expect(list(answer, 'access-control-allow-methods')).toEqual(
    expect.arrayContaining(['get', 'post', 'put', 'patch', 'delete']),
  );
  expect(list(answer, 'access-control-allow-headers')).toEqual(
    expect.arrayContaining(REQUEST_HEADERS.map((name) => name.toLowerCase())),
  );
});

line('T02', 'preflight is permissive: a foreign origin is echoed too', async () => {
  const answer = (await preflight(EVIL)).is(204);
  expect(answer.header('access-control-allow-origin')).toBe(EVIL);
});

line('T03', 'a request from a foreign origin is refused and gets no CORS permission', async () => {
  const answer = await guest(server()).http.get('/account', { headers: { origin: EVIL } });
  const foreign = browser(server(), { origin: EVIL });
  await refused(UNKNOWN_ORIGIN, Promise.resolve(answer), foreign.account.get());
  expect(answer.header('access-control-allow-origin')).toBeUndefined();
});

line('T05', 'an address registered as web platform is an allowed origin', async (context) => {
  const registered = await withWebPlatform('127.0.0.1', context);
  const origin = 'http://127.0.0.1:3000';
  const answer = (await guest(registered).http.get('/account', { headers: { origin } })).is(401);
  expect(answer.header('access-control-allow-origin')).toBe(origin);
  expect(await browser(registered, { origin }).client.ping()).toEqual({ message: 'Pong!' });
});

line('T06', 'the origin of a request with a key is not enforced', async () => {
  const { http } = admin(server());
  (await http.get('/users', { headers: { origin: EVIL } })).is(200);
  await refused({ code: 401, type: 'general_unauthorized_scope' }, http.get('/account', { headers: { origin: EVIL } }));
  const sdk = node(server(), { key: server().key });
  sdk.client.headers.origin = EVIL;
  expect((await sdk.users.list()).total).toBeGreaterThanOrEqual(0);
});

line('T07', 'answers and errors to an allowed origin name it exactly and expose the fallback header', async () => {
  const { http } = guest(server());
  for (const path of ['/ping', '/account']) {
    const answer = (await http.get(path, { headers: { origin: PAGE_ORIGIN } })).is(path === '/ping' ? 200 : 401);
    expect(answer.header('access-control-allow-origin'), path).toBe(PAGE_ORIGIN);
    expect(answer.header('access-control-allow-credentials'), path).toBe('true');
    expect(list(answer, 'access-control-expose-headers'), path).toContain('x-fallback-cookies');
  }
});
