import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import type { BackendEvent } from '../events.ts';

let server: TestBackend;
const others: TestBackend[] = [];

beforeAll(async () => {
  server = await startTestBackend({ anonymous: true });
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});
afterAll(() => server.stop());

async function another(options: Parameters<typeof startTestBackend>[0]): Promise<TestBackend> {
  const other = await startTestBackend(options);
  others.push(other);
  return other;
}

let people = 0;
const address = () => `person${people++}@example.com`;

const signIn = (email: string, password: string, on = server) =>
  on.request('POST', '/account/sessions/email', { body: { email, password } });

describe('the shortest password', () => {
  test('is six bytes by default: what the form accepts can sign up and in', async () => {
    const email = address();
    const signUp = (password: string) =>
      server.request('POST', '/account', { body: { userId: 'unique()', email, password } });
    expect((await signUp('Ab1-x')).body).toMatchObject({
      code: 400,
      message: 'Invalid `password` param: Password must be between 6 and 256 characters long.',
    });
    expect((await signUp('Ab1-xy')).status).toBe(201);
    expect((await signIn(email, 'Ab1-xy')).status).toBe(201);
  });

  test('is counted in bytes, not characters', async () => {
    const strict = await another({ passwordMinimum: 8 });
    const body = { userId: 'unique()', email: address(), password: 'ääää' };
    expect((await strict.request('POST', '/account', { body })).status).toBe(201);
  });
});

describe('sign-up', () => {
  test('two at the same moment with one address: one wins, the other is 409', async () => {
    const body = { userId: 'unique()', email: address(), password: 'correct horse' };
    const replies = await Promise.all([0, 1].map(() => server.request('POST', '/account', { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.type).toBe('user_already_exists');
  });

  test('tells no password hash', async () => {
    const body = { userId: 'unique()', email: address(), password: 'correct horse' };
    const reply = await server.request('POST', '/account', { body, asKey: true });
    expect(reply.text).not.toContain('argon2');
  });
});

describe('sessions', () => {
  test('the cookie is Lax on http, so that browsers keep it; both names are HttpOnly', async () => {
    const { cookies, userId } = await server.signUp(address());
    expect(cookies).toMatch(/^a_session_p1_legacy=[^;]+; a_session_p1=/);
    const reply = await server.request('POST', '/account/sessions/anonymous');
    const lines = reply.headers.getSetCookie();
    expect(lines[1]).toMatch(/^a_session_p1=.*; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(lines[0]).not.toContain('SameSite');
    expect(lines.join()).not.toContain('Secure');
    expect((await server.request('GET', '/account', { cookies })).body.$id).toBe(userId);
  });

  test('a page of this very host and port gets no secret for its script', async () => {
    const own = await another({ anonymous: true, webOrigins: ['127.0.0.1', 'localhost'] });
    const start = (headers: Record<string, string>) => own.request('POST', '/account/sessions/anonymous', { headers });
    expect((await start({ origin: own.origin })).headers.get('x-fallback-cookies')).toBeNull();
    expect((await start({ origin: 'http://localhost:5173' })).headers.get('x-fallback-cookies')).toContain(
      'a_session_p1',
    );
    expect((await start({})).headers.get('x-fallback-cookies')).toContain('a_session_p1');
  });

  test('survive a restart of the server', async () => {
    const first = await startTestBackend();
    const { cookies, userId } = await first.signUp(address());
    await first.backend.close();
    const second = await another({ directory: first.directory });
    expect((await second.request('GET', '/account', { cookies })).body.$id).toBe(userId);
  });

  test('end when their time is over', async () => {
    const brief = await another({ sessionDuration: 3 });
    const { cookies } = await brief.signUp(address());
    expect((await brief.request('GET', '/account', { cookies })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 3100));
    expect((await brief.request('GET', '/account', { cookies })).status).toBe(401);
  });

  test.each(['x', 'a_session_p1=', 'a_session_p1=%zz', `a_session_p1=${Buffer.from('null').toString('base64')}`])(
    'the cookie %s makes a guest',
    async (cookies) => {
      expect((await server.request('GET', '/account', { cookies })).body.type).toBe('general_unauthorized_scope');
    },
  );

  test('a garbage main cookie does not hide the good one beside it', async () => {
    const { cookies } = await server.signUp(address());
    const legacy = cookies.split('; ')[0];
    const reply = await server.request('GET', '/account', { cookies: `a_session_p1=broken; ${legacy}` });
    expect(reply.status).toBe(200);
  });

  test('logout clears both cookies', async () => {
    const { cookies } = await server.signUp(address());
    const reply = await server.request('DELETE', '/account/sessions/current', { cookies, body: {} });
    expect(reply.status).toBe(204);
    expect(reply.cookies).toBe('a_session_p1_legacy=deleted; a_session_p1=deleted');
    expect(reply.headers.get('x-fallback-cookies')).toBe('[]');
  });

  test('of another user cannot be seen or ended', async () => {
    const [ann, bob] = [await server.signUp(address()), await server.signUp(address())];
    const list = await server.request('GET', '/account/sessions', { cookies: ann.cookies });
    const [session] = list.body.sessions as { $id: string }[];
    for (const method of ['GET', 'DELETE']) {
      const reply = await server.request(method, `/account/sessions/${session?.$id}`, { cookies: bob.cookies });
      expect(reply.body.type).toBe('user_session_not_found');
    }
    expect((await server.request('GET', '/account', { cookies: ann.cookies })).status).toBe(200);
  });

  test('know the browser they began in', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const reply = await server.request('POST', '/account/sessions/anonymous', { headers: { 'user-agent': agent } });
    expect(reply.body).toMatchObject({ osCode: 'LIN', clientName: 'Firefox', clientVersion: '140.0', ip: '127.0.0.1' });
  });
});

test('anonymous sessions are 501 where they are not switched on, whoever asks', async () => {
  const own = await another({});
  const { cookies } = await own.signUp(address());
  for (const options of [{}, { cookies }]) {
    const reply = await own.request('POST', '/account/sessions/anonymous', options);
    expect(reply.body).toMatchObject({
      code: 501,
      type: 'user_auth_method_unsupported',
      message: 'Anonymous authentication is disabled for this project',
    });
    expect(reply.headers.get('x-ratelimit-limit')).toBe('50');
    expect(reply.cookies).toBe('');
  }
  expect((await own.request('GET', '/users', { asKey: true })).body.total).toBe(1);
});

describe('an anonymous user', () => {
  test('becomes one with e-mail and password', async () => {
    const { cookies } = await server.request('POST', '/account/sessions/anonymous');
    const email = address();
    const reply = await server.request('PATCH', '/account/email', {
      cookies,
      body: { email, password: 'correct horse' },
    });
    expect(reply.body).toMatchObject({ email, targets: [{ identifier: email, providerType: 'email' }] });
    expect((await signIn(email, 'correct horse')).status).toBe(201);
  });

  test('cannot be signed in to with any password', async () => {
    await server.request('POST', '/account/sessions/anonymous');
    expect((await signIn('', 'correct horse')).status).toBe(400);
  });
});

describe('a changed password', () => {
  test('ends the other sessions and their JWTs, keeps this one', async () => {
    const email = address();
    const { cookies } = await server.signUp(email);
    const other = await signIn(email, 'correct horse');
    const jwt = await server.request('POST', '/account/jwts', { cookies: other.cookies, body: {} });
    const body = { password: 'another horse', oldPassword: 'correct horse' };
    expect((await server.request('PATCH', '/account/password', { cookies, body })).status).toBe(200);
    expect((await server.request('GET', '/account', { cookies })).status).toBe(200);
    expect((await server.request('GET', '/account', { cookies: other.cookies })).status).toBe(401);
    const headers = { 'x-appwrite-jwt': String(jwt.body.jwt) };
    expect((await server.request('GET', '/account', { headers })).status).toBe(401);
    expect((await signIn(email, 'correct horse')).status).toBe(401);
  });
});

describe('while a password is compared', () => {
  const email = 'ann@example.com';
  const password = 'correct horse';
  const signInWith = ['POST', '/account/sessions/email', { email, password }] as const;
  const changePassword = ['PATCH', '/account/password', { password: 'another horse', oldPassword: password }] as const;
  const changeEmail = ['PATCH', '/account/email', { email: 'eve@example.com', password }] as const;
  const replaced = ['PATCH', 'password', { password: '' }] as const;
  const blocked = ['PATCH', 'status', { status: false }] as const;
  const signedOut = ['DELETE', 'sessions', undefined] as const;

  test.each([
    ['another one ends a sign-in', signInWith, replaced, 'user_invalid_credentials'],
    ['another one ends a change of it', changePassword, replaced, 'user_invalid_credentials'],
    ['another one ends a change of address', changeEmail, replaced, 'user_invalid_credentials'],
    ['blocking ends a sign-in', signInWith, blocked, 'user_blocked'],
    ['blocking ends a change of it', changePassword, blocked, 'user_blocked'],
    ['signing out ends a change of it', changePassword, signedOut, 'user_invalid_credentials'],
    ['signing out ends a change of address', changeEmail, signedOut, 'user_invalid_credentials'],
  ])('%s', async (_what, [method, path, body], [keyMethod, field, change], type) => {
    // Long enough for a request of a key to come in between.
    const slow = await another({ passwordCost: { memory: 16_384, passes: 10, parallelism: 1 } });
    const { userId, cookies } = await slow.signUp(email, password);
    const asked = slow.request(method, path, { body, ...(method === 'PATCH' && { cookies }) });
    await slow.request(keyMethod, `/users/${userId}/${field}`, { asKey: true, body: change });
    expect((await asked).body).toMatchObject({ type });
    const sessions = await slow.request('GET', `/users/${userId}/sessions`, { asKey: true });
    expect(sessions.body.total).toBe(change === blocked[2] ? 1 : 0);
    expect((await slow.request('GET', `/users/${userId}`, { asKey: true })).body.email).toBe(email);
  });
});

describe('JWTs', () => {
  test.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', `${'x'.repeat(5000)}.y.z`])('%s is refused or none', async (token) => {
    const reply = await server.request('GET', '/account', { headers: { 'x-appwrite-jwt': token } });
    expect(reply.body.type).toBe(token === '' ? 'general_unauthorized_scope' : 'user_jwt_invalid');
  });

  test('of another algorithm are refused', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ userId: 'a', sessionId: 'b', exp: 9e9 })}.`;
    const reply = await server.request('GET', '/account', { headers: { 'x-appwrite-jwt': token } });
    expect(reply.body.type).toBe('user_jwt_invalid');
  });

  test('stand for no current session', async () => {
    const { cookies } = await server.signUp(address());
    const { body } = await server.request('POST', '/account/jwts', { cookies, body: {} });
    const headers = { 'x-appwrite-jwt': String(body.jwt) };
    const reply = await server.request('GET', '/account/sessions/current', { headers });
    expect(reply.body.type).toBe('user_session_not_found');
  });
});

describe('preferences', () => {
  test('hold names of the object prototype as they hold others', async () => {
    const { cookies } = await server.signUp(address());
    const body = '{"prefs":{"__proto__":{"a":1},"constructor":"x"}}';
    await server.request('PATCH', '/account/prefs', { cookies, body });
    expect((await server.request('GET', '/account/prefs', { cookies })).text).toBe(
      '{"__proto__":{"a":1},"constructor":"x"}',
    );
  });

  test('hold whole numbers of any length exactly', async () => {
    const { cookies } = await server.signUp(address());
    const prefs = '{"a":9007199254740993,"b":[1111111111111111111111111,1.5]}';
    expect((await server.request('PATCH', '/account/prefs', { cookies, body: `{"prefs":${prefs}}` })).status).toBe(200);
    expect((await server.request('GET', '/account/prefs', { cookies })).text).toBe(prefs);
  });

  test('are at most 65,535 characters as JSON', async () => {
    const { cookies } = await server.signUp(address());
    const put = (length: number) =>
      server.request('PATCH', '/account/prefs', { cookies, body: { prefs: { a: 'x'.repeat(length - 8) } } });
    expect((await put(65_535)).status).toBe(200);
    expect((await put(65_536)).body).toMatchObject({ code: 400, type: 'general_argument_invalid' });
  });
});

describe('events', () => {
  test('of a session are told after it is stored, to its user alone, without its secret', async () => {
    const email = address();
    const { userId } = await server.signUp(email);
    const told: BackendEvent[] = [];
    const stop = server.backend.events.listen((event) => told.push(event));
    const session = await signIn(email, 'correct horse');
    stop();
    expect(told).toHaveLength(1);
    const id = session.body.$id;
    expect(told[0]).toMatchObject({
      channels: ['account', `account.${userId}`],
      roles: [`user:${userId}`],
      payload: { $id: id, secret: '' },
    });
    expect(told[0]?.events).toEqual([
      `users.${userId}.sessions.${id}.create`,
      'users.*.sessions.*.create',
      `users.${userId}.sessions.*.create`,
      `users.*.sessions.${id}.create`,
      `users.${userId}.sessions.${id}`,
      'users.*.sessions.*',
      `users.${userId}.sessions.*`,
      `users.*.sessions.${id}`,
      `users.${userId}`,
      'users.*',
    ]);
  });

  test('of a changed name carry the user, his id and the action', async () => {
    const { cookies, userId } = await server.signUp(address());
    const told: BackendEvent[] = [];
    const stop = server.backend.events.listen((event) => told.push(event));
    await server.request('PATCH', '/account/name', { cookies, body: { name: 'Ann' } });
    await server.request('PATCH', '/account/name', { cookies, body: { name: '' } });
    stop();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      channels: ['account', `account.${userId}`, 'account.update', `account.${userId}.update`],
      payload: { name: 'Ann' },
      userId,
    });
    expect(told[0]?.events.slice(0, 3)).toEqual([
      `users.${userId}.update`,
      'users.*.update',
      `users.${userId}.update.name`,
    ]);
  });
});

test('a user may block himself, once', async () => {
  const { cookies } = await server.signUp(address());
  expect((await server.request('PATCH', '/account/status', { cookies })).body.status).toBe(false);
  expect((await server.request('GET', '/account', { cookies })).body.type).toBe('user_blocked');
});

test('without SMTP a recovery mail is refused whether or not the address is known', async () => {
  const known = address();
  await server.signUp(known);
  for (const email of [known, address()]) {
    const reply = await server.request('POST', '/account/recovery', { body: { email, url: 'http://localhost/reset' } });
    expect(reply.body).toMatchObject({ code: 503, type: 'general_smtp_disabled', message: 'SMTP Disabled' });
  }
});
