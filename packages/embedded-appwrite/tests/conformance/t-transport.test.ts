/** T: methods, headers, errors, keys, origins, health (contract 1.1 to 1.4, 1.6, 2.9). */
import type { Models } from 'node-appwrite';
import { DATE, error, justWritten, MISSING_SCOPE, NO_ACCOUNT, refused, UNREGISTERED } from './expect.ts';
import { expiredKey, limitedKey, withWebPlatform } from './facilities.ts';
import { Http, type HttpResponse } from './http.ts';
import { expect, test } from './kit.ts';
import { fresh, freshEmail } from './names.ts';
import { forget, guestOf, PASSWORD, server } from './people.ts';
import { browser, node, PAGE_ORIGIN } from './sdk.ts';

const EVIL = 'http://evil.test';
const APPWRITE_HEADERS = ['project', 'key', 'jwt', 'locale', 'response-format', 'id', 'timestamp', 'session'];
const REQUEST_HEADERS = [
  ...['content-type', 'content-range', 'range', 'cache-control', 'x-fallback-cookies', 'x-requested-with'],
  ...APPWRITE_HEADERS.map((name) => `x-appwrite-${name}`),
  ...['version', 'name', 'language', 'platform'].map((name) => `x-sdk-${name}`),
];

const preflight = (origin: string) => {
  const [method, headers] = ['POST', 'content-type,x-appwrite-project'];
  const asked = { 'access-control-request-method': method, 'access-control-request-headers': headers };
  return guestOf()
    .http.with({ origin, ...asked })
    .send('OPTIONS', '/account');
};

const list = (answer: HttpResponse, header: string): string[] =>
  (answer.header(header) ?? '').split(',').map((name) => name.trim().toLowerCase());

/** Expects the response to allow exactly this origin, with credentials. */
function allows(answer: HttpResponse, origin: string): void {
  expect(answer.header('access-control-allow-origin'), answer.request).toBe(origin);
  expect(answer.header('access-control-allow-credentials'), answer.request).toBe('true');
}

test('T01 preflight from an allowed origin is answered 204 with that origin and credentials', async () => {
  const answer = await preflight(PAGE_ORIGIN).is(204);
  expect(answer.text).toBe('');
  allows(answer, PAGE_ORIGIN);
  expect(answer.header('access-control-max-age')).toBe('86400');
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  expect(list(answer, 'access-control-allow-methods')).toEqual(expect.arrayContaining(methods));
  expect(list(answer, 'access-control-allow-headers')).toEqual(expect.arrayContaining(REQUEST_HEADERS));
});

test('T02 preflight is permissive: a foreign origin is echoed too', async () =>
  expect((await preflight(EVIL).is(204)).header('access-control-allow-origin')).toBe(EVIL));

test('T03 a request from a foreign origin is refused and gets no CORS permission', async ({ guest }) => {
  const answer = await guest.http.get('/account', { headers: { origin: EVIL } });
  const message = UNREGISTERED.replace('URI', 'Origin');
  const bySdk = browser(server(), { origin: EVIL }).account.get();
  await refused(error(403, 'general_unknown_origin', message), answer, bySdk);
  expect(answer.header('access-control-allow-origin')).toBeUndefined();
});

test('T05 an address registered as web platform is an allowed origin', async ({ skip }) => {
  const registered = await withWebPlatform('127.0.0.1', skip);
  const origin = 'http://127.0.0.1:3000';
  allows(await guestOf(registered).http.get('/account', { headers: { origin } }).is(401), origin);
  expect(await browser(registered, { origin }).client.ping()).toEqual({ message: 'Pong!' });
});

test('T06 A50 the origin of a request with a key is not enforced; it has no account', async ({ key }) => {
  const http = key.http.with({ origin: EVIL });
  await http.get('/users').is(200);
  await refused(MISSING_SCOPE, http.get('/account'));
  const sdk = node(server(), { key: server().key });
  sdk.client.headers.origin = EVIL;
  expect((await sdk.users.list()).total).toBeGreaterThanOrEqual(0);
});

test('T07 an allowed origin is named exactly and sees the fallback header', async ({ guest }) => {
  const http = guest.http.with({ origin: PAGE_ORIGIN });
  for (const answer of [await http.get('/ping').is(200), await http.get('/account').is(401)]) {
    allows(answer, PAGE_ORIGIN);
    expect(list(answer, 'access-control-expose-headers'), answer.request).toContain('x-fallback-cookies');
  }
});

test('T22 an unknown key is 401 user_unauthorized, an expired one 401 project_key_expired', async ({ skip }) => {
  for (const [key, type] of [
    [`standard_${'0'.repeat(64)}`, 'user_unauthorized'],
    [await expiredKey(skip), 'project_key_expired'],
  ] as const) {
    const raw = Http.to(server(), { 'x-appwrite-key': key }).get('/users');
    await refused(error(401, type), raw, node(server(), { key }).users.list());
  }
});

test('T24 a key without the scope of a route is refused as an application', async ({ skip }) => {
  const key = await limitedKey(skip);
  const raw = Http.to(server(), { 'x-appwrite-key': key }).get('/users');
  await refused({ ...MISSING_SCOPE, message: /role: applications/ }, raw, node(server(), { key }).users.list());
});

test('T25 a key without the project header is 403 project_id_missing', async () => {
  const http = new Http(server().endpoint, { 'x-appwrite-key': server().key });
  await refused(error(403, 'project_id_missing'), http.get('/users'));
});

const limitOne = JSON.stringify({ method: 'limit', values: [1] });

test('T04 without an Origin header a guest is only told that he lacks the scope', async ({ guest }) => {
  const { http, web, node } = guest;
  await refused(NO_ACCOUNT, http.get('/account'), web.account.get(), node.account.get());
});

test('T08 an error body is message, code, type and version, its code the HTTP status', async ({ guest, key }) => {
  const users = [await key.http.get('/users/nobody'), await key.http.post('/users', { userId: '_' })];
  for (const answer of [await guest.http.get('/account'), ...users]) {
    const [text, version] = [expect.any(String), expect.stringMatching(/^\d+\.\d+\.\d+/)];
    expect(answer.json()).toEqual({ code: answer.status, message: text, type: text, version });
    const headers = ['cache-control', 'pragma', 'expires'].map((name) => answer.header(name));
    expect(headers).toEqual(['no-cache, no-store, must-revalidate', 'no-cache', '0']);
  }
  const thrown = await guest.node.account.get().catch((error: { response: string }) => error);
  expect(JSON.parse((thrown as { response: string }).response)).toMatchObject({ code: 401 });
});

test('T10 an unknown project is 404 project_not_found', async () => {
  const { http, web, node } = guestOf({ ...server(), projectId: 'nope' });
  const raw = ['/account', '/databases/d/collections/c/documents'].map((path) => http.get(path));
  await refused(error(404, 'project_not_found'), ...raw, web.account.get(), node.account.get());
});

test('T11 documents without a project are 401 general_access_forbidden', async () => {
  const message =
    'No Appwrite project was specified. Please specify your project ID when initializing your Appwrite SDK.';
  const answer = new Http(server().endpoint).get('/databases/d/collections/c/documents');
  await refused(error(401, 'general_access_forbidden', message), answer);
});

test('T12 a path without a route is 404', async ({ guest: { http } }) => {
  await http.get('/does-not-exist').is(404);
  await http.post('/does-not-exist', {}).is(404);
});

test('T13 a newer response format works, with a warning on an older server', async ({ guest, key }) => {
  // Requested as a guest, because Appwrite answers this route for guests and users, but not for keys.
  const { version } = await guest.http.get('/health/version').json<{ version: string }>();
  const query = { queries: [limitOne] };
  const ask = (format: string) =>
    key.http.with({ 'x-appwrite-response-format': format }).get('/users', { query }).is(200);
  const answer = await ask('2.0.0');
  expect(answer.json()).toHaveProperty('users');
  const older = Number(version.split('.')[0]) < 2;
  expect(answer.header('x-appwrite-warning') !== undefined, `warning of server ${version}`).toBe(older);
  expect((await ask('1.9.0')).header('x-appwrite-warning')).toBeUndefined();
});

test('T14 broken JSON is 400', async ({ guest: { http } }) => {
  const headers = { 'content-type': 'application/json' };
  await refused(error(400), http.post('/account', Buffer.from('{"userId": "un'), { headers }));
});

test('T15 ping answers the text Pong! for a known project and 404 for an unknown one', async ({ guest }) => {
  const ping = (project: string) => new Http(server().endpoint).get('/ping', { query: { project } });
  const answer = await ping(server().projectId).is(200);
  expect(answer.text).toBe('Pong!');
  expect(answer.header('content-type')?.toLowerCase()).toBe('text/plain; charset=utf-8');
  const lost = guestOf({ ...server(), projectId: 'nope' });
  for (const sdk of ['web', 'node'] as const) {
    expect(await guest[sdk].client.ping()).toEqual({ message: 'Pong!' });
    await refused(error(404, 'project_not_found'), ping('nope'), lost[sdk].client.ping());
  }
});

test('T17 the version is public, health is for keys', async ({ guest, key }) => {
  const version = await new Http(server().endpoint).get('/health/version').json();
  expect(version).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  await refused(MISSING_SCOPE, guest.http.get('/health'));
  const health = { name: 'http', status: 'pass', ping: expect.any(Number) };
  expect(await key.http.get('/health').json()).toMatchObject(health);
});

test('T19 dates have milliseconds and +00:00', async ({ ann, db, key: { http, node } }) => {
  const user = await ann.http.get('/account').json<Models.User>();
  const dates = [
    ...[user.$createdAt, user.$updatedAt, user.registration, (await ann.web.account.get()).$createdAt],
    (await ann.http.get('/account/sessions/current').json<Models.Session>()).expire,
    (await http.get(`/databases/${db.databaseId}`).json<Models.Database>()).$createdAt,
    (await node.users.get({ userId: ann.id })).$updatedAt,
  ];
  for (const date of dates) expect(date).toEqual(DATE);
  expect(justWritten(user.accessedAt)).toBeLessThanOrEqual(Date.now() + 60_000);
});

test('T20 limited routes tell limit, remaining and reset of an hour aligned to the clock', async ({ counting }) => {
  const { http } = guestOf(counting);
  const before = Math.floor(Date.now() / 1000);
  // The id is invalid on purpose: the server counts limits before it reads parameters.
  const answer = await http.post('/account', { userId: '_' }).is(400, 429);
  expect(answer.header('x-ratelimit-limit')).toBe('10');
  expect(answer.header('x-ratelimit-remaining')).toMatch(/^\d$/);
  const reset = Number(answer.header('x-ratelimit-reset'));
  expect(reset % 3600).toBe(0);
  expect(Math.abs(reset - before - 1800)).toBeLessThanOrEqual(1800 + 60);
  const unlimited = await http.get('/account').is(401);
  for (const name of ['limit', 'remaining', 'reset'])
    expect(unlimited.header(`x-ratelimit-${name}`), name).toBeUndefined();
});

test('T26 every answer but a preflight names the server and forbids sniffing', async ({ ann, guest, key }) => {
  const own = `/users/${ann.id}`;
  for (const answer of [
    ...[await guest.http.get('/ping'), await guest.http.get('/account'), await guest.http.get('/health/version')],
    ...[await key.http.get(own), await key.http.post('/users', { userId: '_' })],
    ...[await key.http.delete(own), await key.http.get(own)],
  ]) {
    expect(answer.header('server'), answer.request).toBe('Appwrite');
    expect(answer.header('x-content-type-options'), answer.request).toContain('nosniff');
  }
});

test('T27 an unknown field in the body is ignored', async ({ key }) => {
  const userId = fresh('user');
  forget(userId);
  const body = { userId, email: freshEmail(), password: PASSWORD, zzz: [1, { a: 2 }] };
  const user = await key.http.post('/account', body).json(201);
  expect([user.$id, 'zzz' in user]).toEqual([userId, false]);
});

test('T28 lists in the query string are read from queries[0]= and from queries[]=', async ({ ann, bob, key }) => {
  expect(ann.id).not.toBe(bob.id);
  for (const { users } of [
    await key.http.get('/users', { query: { queries: [limitOne] } }).json<Models.UserList>(),
    await key.http.get('/users', { query: { 'queries[]': limitOne } }).json<Models.UserList>(),
    await key.node.users.list({ queries: [limitOne] }),
  ]) {
    expect(users).toHaveLength(1);
  }
});
