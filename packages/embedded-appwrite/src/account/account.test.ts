import * as crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { backendOfTest, useBackend } from '../../tests/support/use-backend.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const actual = await importOriginal<typeof crypto>();
  return { ...actual, argon2: vi.fn(actual.argon2) };
});

const server = useBackend({ anonymous: true });
let people = 0;
const address = () => `person${people++}@example.com`;
const signUp = (body: object) => server.request('POST', '/account', { body: { userId: 'unique()', ...body } });

test('accepts a password of six bytes by default, to sign up and in', async () => {
  const email = address();
  const message = 'Invalid `password` param: Password must be between 6 and 256 characters long.';
  expect((await signUp({ email, password: 'Ab1-x' })).body).toMatchObject({ code: 400, message });
  const body = { email, password: 'Ab1-xy' };
  expect((await signUp(body)).status).toBe(201);
  expect((await server.request('POST', '/account/sessions/email', { body })).status).toBe(201);
});

test('lets one of two sign up who use an address at the same moment', async () => {
  const body = { email: address(), password: 'correct horse' };
  const replies = await Promise.all([signUp(body), signUp(body)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.type).toBe('user_already_exists');
});

test('keeps sessions over a restart', async () => {
  const restarted = await backendOfTest();
  const { cookies, userId } = await restarted.signUp(address());
  await restarted.restart();
  expect((await restarted.request('GET', '/account', { cookies })).body.$id).toBe(userId);
});

test('keeps the newest 500 sessions of a user', async () => {
  const full = await backendOfTest();
  const { cookies, userId } = await full.signUp(address());
  full.sql(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider)
    SELECT 'made' || i, '${userId}', 's' || i, '', '', '2999', 'server' FROM n`);
  const sessions = `/users/${userId}/sessions`;
  expect((await full.request('GET', sessions, { asKey: true })).body.total).toBe(500);
  expect(await full.request('GET', '/account', { cookies })).toMatchObject({ status: 200 });
  const { body } = await full.request('POST', sessions, { asKey: true, body: {} });
  const kept = (await full.request('GET', sessions, { asKey: true })).body.sessions as { $id: string }[];
  expect(kept.map(({ $id }) => $id)).toEqual([...Array.from({ length: 499 }, (_, i) => `made${i + 1}`), body.$id]);
  expect(await full.request('GET', '/account', { cookies })).toMatchObject({ status: 401 });
});

test('refuses guests and users an anonymous session where it is off', async () => {
  const own = await backendOfTest();
  const { cookies } = await own.signUp(address());
  for (const options of [{}, { cookies }]) {
    const reply = await own.request('POST', '/account/sessions/anonymous', options);
    const message = 'Anonymous authentication is disabled for this project';
    expect(reply.body).toMatchObject({ code: 501, type: 'user_auth_method_unsupported', message });
    expect(reply.headers.get('x-ratelimit-limit')).toBe('50');
    expect(reply.cookies).toBe('');
  }
  expect((await own.request('GET', '/users', { asKey: true })).body.total).toBe(1);
});

const EMAIL = 'ann@example.com';
const PASSWORD = 'correct horse';
const signIn = ['POST', '/account/sessions/email', { email: EMAIL, password: PASSWORD }] as const;
const changePassword = ['PATCH', '/account/password', { password: 'new horse', oldPassword: PASSWORD }] as const;
const changeEmail = ['PATCH', '/account/email', { email: 'eve@example.com', password: PASSWORD }] as const;
const replaced = ['PATCH', 'password', { password: '' }] as const;
const blocked = ['PATCH', 'status', { status: false }] as const;
const signedOut = ['DELETE', 'sessions', undefined] as const;

test.each([
  ['a sign-in', 'another password', signIn, replaced, 'user_invalid_credentials'],
  ['a change of password', 'another password', changePassword, replaced, 'user_invalid_credentials'],
  ['a change of address', 'another password', changeEmail, replaced, 'user_invalid_credentials'],
  ['a sign-in', 'a block', signIn, blocked, 'user_blocked'],
  ['a change of password', 'a block', changePassword, blocked, 'user_blocked'],
  ['a change of password', 'the end of the session', changePassword, signedOut, 'user_invalid_credentials'],
  ['a change of address', 'the end of the session', changeEmail, signedOut, 'user_invalid_credentials'],
])('refuses %s after %s during its comparison', async (_what, _why, [method, path, body], by, type) => {
  const own = await backendOfTest();
  const { userId, cookies } = await own.signUp(EMAIL, PASSWORD);
  // Delays the password comparison until the server key's request has completed.
  const { argon2 } = await vi.importActual<typeof crypto>('node:crypto');
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  vi.mocked(crypto.argon2).mockImplementationOnce((...given) => {
    begin();
    void ended.then(() => argon2(...given));
  });
  const asked = own.request(method, path, { body, ...(method === 'PATCH' && { cookies }) });
  await begun;
  await own.request(by[0], `/users/${userId}/${by[1]}`, { asKey: true, body: by[2] });
  end();
  expect((await asked).body).toMatchObject({ type });
  const sessions = await own.request('GET', `/users/${userId}/sessions`, { asKey: true });
  expect(sessions.body.total).toBe(by === blocked ? 1 : 0);
  expect((await own.request('GET', `/users/${userId}`, { asKey: true })).body.email).toBe(EMAIL);
});

test.each([
  ['names of the object prototype', '{"__proto__":{"a":1},"constructor":"x"}'],
  ['integers of any length', '{"a":9007199254740993,"b":[1111111111111111111111111,1.5]}'],
  ['at most 65,535 characters', `{"a":"${'x'.repeat(65_535 - 8)}"}`],
])('keeps preferences with %s unchanged', async (_what, prefs) => {
  const { cookies } = await server.signUp(address());
  const set = async (prefs: string) =>
    (await server.request('PATCH', '/account/prefs', { cookies, body: `{"prefs":${prefs}}` })).status;
  expect(await set(prefs)).toBe(200);
  expect(await set(`{"a":"${'x'.repeat(65_536 - 8)}"}`)).toBe(400);
  expect((await server.request('GET', '/account/prefs', { cookies })).text).toBe(prefs);
});
