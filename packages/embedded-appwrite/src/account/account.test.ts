import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

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
});

describe('sign-up', () => {
  test('two at the same moment with one address: one wins, the other is 409', async () => {
    const body = { userId: 'unique()', email: address(), password: 'correct horse' };
    const replies = await Promise.all([0, 1].map(() => server.request('POST', '/account', { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.type).toBe('user_already_exists');
  });
});

describe('sessions', () => {
  test('survive a restart of the server', async () => {
    const restarted = await another({});
    const { cookies, userId } = await restarted.signUp(address());
    await restarted.restart();
    expect((await restarted.request('GET', '/account', { cookies })).body.$id).toBe(userId);
  });

  test('a garbage main cookie does not hide the good one beside it', async () => {
    const { cookies } = await server.signUp(address());
    const legacy = cookies.split('; ')[0];
    const reply = await server.request('GET', '/account', { cookies: `a_session_p1=broken; ${legacy}` });
    expect(reply.status).toBe(200);
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
    // Hashes slowly enough for a key's request to arrive meanwhile.
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
