/** T: methods, headers, errors, health (contract 1.1 to 1.3, 1.6, 2.9). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { DATE, type ErrorBody, GUEST_WITHOUT_ACCOUNT, justWritten, MISSING_SCOPE, refused } from './expect.ts';
import { limitsServer } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { Http } from './http.ts';
import { line, server } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { admin, guest, PASSWORD, person } from './people.ts';
import { database } from './schema.ts';

const limitOne = JSON.stringify({ method: 'limit', values: [1] });

line('T04', 'without an Origin header a guest is only told that he lacks the scope', async () => {
  const { http, web, node } = guest(server());
  await refused(GUEST_WITHOUT_ACCOUNT, http.get('/account'), web.account.get(), node.account.get());
});

line('T08', 'an error body is message, code, type and version, its code the HTTP status', async () => {
  const { http, node } = guest(server());
  const errors = [
    http.get('/account'),
    admin(server()).http.get('/users/nobody'),
    admin(server()).http.post('/users', { userId: '_' }),
  ];
  for (const answer of await Promise.all(errors)) {
    const body = answer.json<ErrorBody>();
    expect(Object.keys(body).sort()).toEqual(['code', 'message', 'type', 'version']);
    expect(body.code).toBe(answer.status);
    expect(body.message).toEqual(expect.any(String));
    expect(body.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(answer.header('cache-control')).toBe('no-cache, no-store, must-revalidate');
    expect(answer.header('pragma')).toBe('no-cache');
    expect(answer.header('expires')).toBe('0');
  }
  const thrown = await node.account.get().catch((error: { response: string }) => error);
  expect(JSON.parse((thrown as { response: string }).response)).toMatchObject({ code: 401 });
});

line('T10', 'an unknown project is 404 project_not_found', async () => {
  const nowhere = { ...server(), projectId: 'nope' };
  const { http, web, node } = guest(nowhere);
  await refused(
    { code: 404, type: 'project_not_found' },
    http.get('/account'),
    http.get('/databases/d/collections/c/documents'),
    web.account.get(),
    node.account.get(),
  );
});

line('T11', 'documents without a project are 401 general_access_forbidden', async () => {
  await refused(
    {
      code: 401,
      type: 'general_access_forbidden',
      message: 'No Appwrite project was specified. Please specify your project ID when initializing your Appwrite SDK.',
    },
    new Http(server().endpoint).get('/databases/d/collections/c/documents'),
  );
});

line('T12', 'a path without a route is 404', async () => {
  const { http } = guest(server());
  (await http.get('/does-not-exist')).is(404);
  (await http.post('/does-not-exist', {})).is(404);
});

line('T13', 'a newer response format works, with a warning if and only if the server is older than it', async () => {
  const { http, node } = admin(server());
  // A real server answers guests and users, but not keys.
  const { version } = (await guest(server()).http.get('/health/version')).is(200).json<{ version: string }>();
  const answer = await http.get('/users', {
    query: { queries: [limitOne] },
    headers: { 'x-appwrite-response-format': '2.0.0' },
  });
  expect(answer.is(200).json()).toHaveProperty('users');
  const older = Number(version.split('.')[0]) < 2;
  expect(answer.header('x-appwrite-warning') !== undefined, `warning of server ${version}`).toBe(older);
  const oldest = await http.get('/users', {
    query: { queries: [limitOne] },
    headers: { 'x-appwrite-response-format': '1.9.0' },
  });
  expect(oldest.is(200).header('x-appwrite-warning')).toBeUndefined();
  await node.users.list({ queries: [limitOne] });
});

line('T14', 'broken JSON is 400', async () => {
  const answer = await guest(server()).http.post('/account', Buffer.from('{"userId": "un'), {
    headers: { 'content-type': 'application/json' },
  });
  await refused({ code: 400 }, Promise.resolve(answer));
});

line('T15', 'ping answers the text Pong! for a known project and 404 for an unknown one', async () => {
  const nobody = new Http(server().endpoint);
  const answer = (await nobody.get('/ping', { query: { project: server().projectId } })).is(200);
  expect(answer.text).toBe('Pong!');
  expect(answer.header('content-type')?.toLowerCase()).toBe('text/plain; charset=utf-8');
  const { web, node } = guest(server());
  expect(await web.client.ping()).toEqual({ message: 'Pong!' });
  expect(await node.client.ping()).toEqual({ message: 'Pong!' });
  const lost = guest({ ...server(), projectId: 'nope' });
  await refused(
    { code: 404, type: 'project_not_found' },
    nobody.get('/ping', { query: { project: 'nope' } }),
    lost.web.client.ping(),
    lost.node.client.ping(),
  );
});

line('T17', 'the version is public, health is for keys', async () => {
  const version = (await new Http(server().endpoint).get('/health/version')).is(200).json<{ version: string }>();
  expect(version).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  await refused(MISSING_SCOPE, guest(server()).http.get('/health'));
  const health = (await admin(server()).http.get('/health')).is(200).json();
  expect(health).toMatchObject({ name: 'http', status: 'pass', ping: expect.any(Number) });
});

line('T19', 'dates have milliseconds and +00:00', async () => {
  const { http, node } = admin(server());
  const { id, http: own, web } = await person(server());
  const user = (await own.get('/account')).is(200).json<Models.User>();
  const fromSdk = await web.account.get();
  const databaseId = await database(server());
  const dates: unknown[] = [
    ...[user.$createdAt, user.$updatedAt, user.registration, fromSdk.$createdAt],
    (await own.get('/account/sessions/current')).is(200).json<Models.Session>().expire,
    (await http.get(`/databases/${databaseId}`)).is(200).json<Models.Database>().$createdAt,
    (await node.users.get({ userId: id })).$updatedAt,
  ];
  for (const date of dates) expect(date).toMatch(DATE);
  expect(justWritten(user.accessedAt)).toBeLessThanOrEqual(Date.now() + 60_000);
});

line(
  'T20',
  'limited routes tell limit, remaining and reset of a window aligned to the clock; others do not',
  async (context) => {
    const limited = server().embedded ? await limitsServer(context) : server();
    const { http } = guest(limited);
    const before = Math.floor(Date.now() / 1000);
    // The id is invalid on purpose: the server counts limits before it reads parameters.
    const answer = (await http.post('/account', { userId: '_' })).is(400, 429);
    expect(answer.header('x-ratelimit-limit')).toBe('10');
    expect(answer.header('x-ratelimit-remaining')).toMatch(/^\d$/);
    const reset = Number(answer.header('x-ratelimit-reset'));
    expect(reset % 3600).toBe(0);
    expect(reset).toBeGreaterThan(before - 60);
    expect(reset - before).toBeLessThanOrEqual(3600 + 60);
    const unlimited = (await http.get('/account')).is(401);
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(unlimited.header(`x-ratelimit-${name}`), name).toBeUndefined();
    }
  },
);

line('T26', 'every answer but a preflight names the server and forbids sniffing', async () => {
  const { http: key } = admin(server());
  const { http } = guest(server());
  const { id } = await person(server());
  const answers: HttpResponse[] = [
    await http.get('/ping'),
    await http.get('/account'),
    await http.get('/health/version'),
    await key.get(`/users/${id}`),
    await key.post('/users', { userId: '_' }),
    await key.delete(`/users/${id}`),
    await key.get(`/users/${id}`),
  ];
  for (const answer of answers) {
    expect(answer.header('server'), answer.request).toBe('Appwrite');
    expect(answer.header('x-content-type-options'), answer.request).toContain('nosniff');
  }
});

line('T27', 'an unknown field in the body is ignored', async () => {
  const { http } = admin(server());
  const userId = fresh('user');
  later(() => http.delete(`/users/${userId}`));
  const body = { userId, email: freshEmail(), password: PASSWORD, zzz: [1, { a: 2 }] };
  const user = (await http.post('/account', body)).is(201).json();
  expect(user).toMatchObject({ $id: userId });
  expect(user).not.toHaveProperty('zzz');
});

line('T28', 'lists in the query string are read from queries[0]= and from queries[]=', async () => {
  const { http, node } = admin(server());
  await Promise.all([person(server()), person(server())]);
  const numbered = (await http.get('/users', { query: { queries: [limitOne] } })).is(200).json<Models.UserList>();
  const bare = (await http.get('/users', { query: { 'queries[]': limitOne } })).is(200).json<Models.UserList>();
  const sdk = await node.users.list({ queries: [limitOne] });
  for (const list of [numbered, bare, sdk]) expect(list.users).toHaveLength(1);
});
