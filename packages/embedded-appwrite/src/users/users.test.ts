import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import type { BackendEvent } from '../events.ts';

let server: TestBackend;
beforeAll(async () => {
  server = await startTestBackend({ anonymous: true });
});
afterAll(() => server.stop());

const asKey = (method: string, path: string, body?: unknown) => server.request(method, path, { asKey: true, body });
const query = (...queries: object[]) =>
  `/users?${queries.map((each, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(each))}`).join('&')}`;

let people = 0;
async function create(fields: object = {}): Promise<string> {
  const reply = await asKey('POST', '/users', { userId: `u${people++}`, ...fields });
  expect(reply.status).toBe(201);
  return String(reply.body.$id);
}

describe('who may', () => {
  test.each([
    ['GET', '/users'],
    ['GET', '/users/a'],
    ['POST', '/users'],
    ['DELETE', '/users/a'],
    ['PATCH', '/users/a/password'],
    ['POST', '/users/argon2'],
  ])('%s %s is for keys, not for guests or users', async (method, path) => {
    const { cookies } = await server.request('POST', '/account/sessions/anonymous');
    for (const options of [{}, { cookies }]) {
      const reply = await server.request(method, path, options);
      expect(reply.body).toMatchObject({ code: 401, type: 'general_unauthorized_scope' });
    }
  });
});

describe('a user made by a key', () => {
  test('needs nothing but an id', async () => {
    const id = await create();
    expect((await asKey('GET', `/users/${id}`)).body).toMatchObject({
      email: '',
      phone: '',
      password: '',
      targets: [],
    });
  });

  test('with e-mail and password can sign in', async () => {
    await create({ email: 'made@example.com', password: 'correct horse', name: 'Made' });
    const body = { email: 'made@example.com', password: 'correct horse' };
    expect((await server.request('POST', '/account/sessions/email', { body })).status).toBe(201);
  });

  test.each([{ email: 'twice@example.com' }, { phone: '+15551234567' }])('%j twice is 409', async (fields) => {
    await create(fields);
    const reply = await asKey('POST', '/users', { userId: 'unique()', ...fields });
    expect(reply.body).toMatchObject({ code: 409, type: 'user_already_exists' });
  });

  test('two without e-mail do not clash', async () => {
    await create({ email: '' });
    await create({ email: '' });
  });
});

describe('an imported hash', () => {
  test('lets its user sign in at once, and is given out as it came', async () => {
    const id = await create({ email: 'moved@example.com', password: 'correct horse' });
    const { body } = await asKey('GET', `/users/${id}`);
    await asKey('DELETE', `/users/${id}`);
    const user = { userId: id, email: 'moved@example.com', password: body.password, name: 'Moved' };
    expect((await asKey('POST', '/users/argon2', user)).body.password).toBe(body.password);
    const signIn = { email: 'moved@example.com', password: 'correct horse' };
    expect((await server.request('POST', '/account/sessions/email', { body: signIn })).status).toBe(201);
  });

  test('that is none is refused', async () => {
    const user = { userId: 'unique()', email: 'plain@example.com', password: 'correct horse' };
    expect((await asKey('POST', '/users/argon2', user)).body.code).toBe(400);
  });

  test('of another kind is 501', async () => {
    expect((await asKey('POST', '/users/bcrypt', {})).body).toMatchObject({ code: 501 });
  });
});

describe('the list', () => {
  test('is filtered, ordered and paged', async () => {
    const ids = [];
    for (const name of ['Lina Ash', 'Lina Birch', 'Lina Cedar']) ids.push(await create({ name }));
    const found = await asKey(
      'GET',
      query(
        { method: 'startsWith', attribute: 'name', values: ['Lina'] },
        { method: 'orderDesc', attribute: 'name' },
        { method: 'limit', values: [2] },
      ),
    );
    expect(found.body.total).toBe(3);
    expect((found.body.users as { $id: string }[]).map(({ $id }) => $id)).toEqual([ids[2], ids[1]]);
  });

  test('is searched by the words of name, e-mail and id, any of them', async () => {
    const id = await create({ name: '100%_sure Ünal', email: 'sure@example.com' });
    const found = async (search: string) =>
      (await asKey('GET', `/users?search=${encodeURIComponent(search)}`)).body.users as { $id: string }[];
    for (const search of ['100%_', 'SURE@nowhere', 'nobody ünal', 'Üna', id])
      expect((await found(search)).map(({ $id }) => $id)).toContain(id);
    for (const search of ['nal', 'nobody', '%', '_"\'*', 'null']) expect(await found(search)).toEqual([]);
  });

  test('finds users by label', async () => {
    const id = await create();
    await asKey('PUT', `/users/${id}/labels`, { labels: ['rare', 'rare'] });
    const reply = await asKey('GET', query({ method: 'contains', attribute: 'labels', values: ['rare'] }));
    expect(reply.body).toMatchObject({ total: 1, users: [{ $id: id, labels: ['rare'] }] });
  });

  test('tells a fault in a query as one of its parameter', async () => {
    const reply = await asKey('GET', query({ method: 'equal', attribute: 'password', values: ['x'] }));
    expect(reply.body).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
      message: expect.stringMatching(/^Invalid `queries` param: Invalid query: /),
    });
  });

  test('counts only when asked', async () => {
    expect((await asKey('GET', '/users?total=0')).body.total).toBe(0);
  });
});

describe('changes', () => {
  test.each([
    ['PATCH', 'name', { name: '' }, { name: '' }],
    ['PATCH', 'email', { email: 'Changed@Example.com' }, { email: 'changed@example.com', emailVerification: false }],
    ['PATCH', 'phone', { number: '+15557654321' }, { phone: '+15557654321' }],
    ['PATCH', 'verification', { emailVerification: true }, { emailVerification: true }],
    ['PATCH', 'status', { status: false }, { status: false }],
    ['PUT', 'labels', { labels: ['vip'] }, { labels: ['vip'] }],
  ])('%s %s', async (method, field, body, expected) => {
    const id = await create({ name: 'Before' });
    const reply = await asKey(method, `/users/${id}/${field}`, body);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject(expected);
    expect((await asKey(method, `/users/nobody/${field}`, body)).body.type).toBe('user_not_found');
  });

  test('of an e-mail to one that is taken are 409', async () => {
    await create({ email: 'taken@example.com' });
    const id = await create();
    const reply = await asKey('PATCH', `/users/${id}/email`, { email: 'taken@example.com' });
    expect(reply.body).toMatchObject({ code: 409, type: 'user_email_already_exists' });
  });

  test('of the password end his sessions; an empty one removes it', async () => {
    const { cookies, userId } = await server.signUp('reset@example.com');
    expect((await asKey('PATCH', `/users/${userId}/password`, { password: '' })).body.password).toBe('');
    expect((await server.request('GET', '/account', { cookies })).status).toBe(401);
    const body = { email: 'reset@example.com', password: 'correct horse' };
    expect((await server.request('POST', '/account/sessions/email', { body })).status).toBe(401);
  });

  test('are seen by the user’s next request', async () => {
    const { cookies, userId } = await server.signUp('seen@example.com');
    await asKey('PATCH', `/users/${userId}/name`, { name: 'New' });
    expect((await server.request('GET', '/account', { cookies })).body.name).toBe('New');
  });
});

describe('sessions and tokens', () => {
  test('a session made for a user works as his own', async () => {
    const id = await create();
    const { body } = await asKey('POST', `/users/${id}/sessions`);
    expect(body).toMatchObject({ userId: id, provider: 'server' });
    const headers = { 'x-appwrite-session': String(body.secret) };
    expect((await server.request('GET', '/account', { headers })).body.$id).toBe(id);
    expect((await asKey('DELETE', `/users/${id}/sessions/${body.$id}`)).status).toBe(204);
    expect((await server.request('GET', '/account', { headers })).status).toBe(401);
  });

  test('a token signs in once', async () => {
    const id = await create();
    const { body: token } = await asKey('POST', `/users/${id}/tokens`, { length: 12, expire: 60 });
    expect(String(token.secret)).toHaveLength(12);
    const body = { userId: id, secret: token.secret };
    const use = () => server.request('POST', '/account/sessions/token', { body });
    expect((await use()).body).toMatchObject({ provider: 'token', userId: id });
    expect((await use()).body.type).toBe('user_invalid_token');
  });

  test('a JWT needs a session to stand for', async () => {
    const id = await create();
    expect((await asKey('POST', `/users/${id}/jwts`, {})).body.type).toBe('user_session_not_found');
    await asKey('POST', `/users/${id}/sessions`);
    const { body } = await asKey('POST', `/users/${id}/jwts`, {});
    const headers = { 'x-appwrite-jwt': String(body.jwt) };
    expect((await server.request('GET', '/account', { headers })).body.$id).toBe(id);
  });
});

test('a user who is deleted is gone with his sessions', async () => {
  const { cookies, userId } = await server.signUp('gone@example.com');
  expect((await asKey('DELETE', `/users/${userId}`)).status).toBe(204);
  expect((await server.request('GET', '/account', { cookies })).status).toBe(401);
  expect((await asKey('DELETE', `/users/${userId}`)).body.type).toBe('user_not_found');
});

test('a user’s list of teams is empty', async () => {
  const { cookies } = await server.request('POST', '/account/sessions/anonymous');
  expect((await server.request('GET', '/teams', { cookies })).body).toEqual({ total: 0, teams: [] });
});

test('the end of all sessions is one event, and preferences by key tell the preferences', async () => {
  const { userId } = await server.signUp('events@example.com');
  const told: BackendEvent[] = [];
  const stop = server.backend.events.listen((event) => told.push(event));
  await server.request('PATCH', `/users/${userId}/prefs`, { asKey: true, body: { prefs: { a: 1 } } });
  await server.request('DELETE', `/users/${userId}/sessions`, { asKey: true });
  stop();
  expect(told.map(({ events, channels }) => ({ events, channels }))).toEqual([
    {
      events: ['update', 'update.prefs']
        .flatMap((name) => [`users.${userId}.${name}`, `users.*.${name}`])
        .concat([`users.${userId}`, 'users.*']),
      channels: ['account', `account.${userId}`, 'account.update', `account.${userId}.update`],
    },
    {
      events: ['sessions', 'sessions.delete']
        .flatMap((name) => [`users.${userId}.${name}`, `users.*.${name}`])
        .concat([`users.${userId}`, 'users.*']),
      channels: ['account', `account.${userId}`],
    },
  ]);
  expect(told[0]?.payload).toEqual({ a: 1 });
  expect(told[1]?.payload).toMatchObject({ $id: userId });
});
