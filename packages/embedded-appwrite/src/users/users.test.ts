import { expect, test } from 'vitest';
import { useBackend } from '../../tests/support/use-backend.ts';

const server = useBackend();
const asKey = (method: string, path: string, body?: unknown) => server.request(method, path, { asKey: true, body });
let people = 0;
const create = async (fields: object = {}) =>
  String((await asKey('POST', '/users', { userId: `u${people++}`, ...fields })).body.$id);

test.each([
  ['POST', '', { email: 'twice@example.com' }, 'user_already_exists'],
  ['POST', '', { phone: '+15551234567' }, 'user_already_exists'],
  ['PATCH', 'email', { email: 'taken@example.com' }, 'user_email_already_exists'],
])('refuses to %s/%s %j of another user', async (method, field, fields, type) => {
  await create(fields);
  const path = field === '' ? '/users' : `/users/${await create()}/${field}`;
  expect((await asKey(method, path, { userId: 'unique()', ...fields })).body).toMatchObject({ code: 409, type });
});

test.each([
  ['POST', '/users/argon2', { userId: 'unique()', email: 'plain@example.com', password: 'correct horse' }, 400],
  ['POST', '/users/bcrypt', {}, 501],
])('imports only argon2 hashes: %s %s', async (method, path, body, status) =>
  expect((await asKey(method, path, body)).status).toBe(status),
);

test('searches the list by any word of name, e-mail and id', async () => {
  const id = await create({ name: '100%_sure Ünal', email: 'sure@example.com' });
  const found = async (search: string) =>
    (await asKey('GET', `/users?search=${encodeURIComponent(search)}`)).body.users as { $id: string }[];
  for (const search of ['100%_', 'SURE@nowhere', 'nobody ünal', 'Üna', id])
    expect((await found(search)).map(({ $id }) => $id)).toContain(id);
  for (const search of ['nal', 'nobody', '%', '_"\'*', 'null']) expect(await found(search)).toEqual([]);
});

test.each([
  ['PATCH', 'name', { name: '' }, { name: '' }],
  ['PATCH', 'email', { email: 'Changed@Example.com' }, { email: 'changed@example.com', emailVerification: false }],
  ['PATCH', 'phone', { number: '+15557654321' }, { phone: '+15557654321', phoneVerification: false }],
  ['PATCH', 'verification', { emailVerification: true }, { emailVerification: true }],
  ['PATCH', 'verification/phone', { phoneVerification: true }, { phoneVerification: true }],
])('%s %s changes a user', async (method, field, body, expected) => {
  const id = await create({ name: 'Before' });
  expect(await asKey(method, `/users/${id}/${field}`, body)).toMatchObject({ status: 200, body: expected });
  expect((await asKey(method, `/users/nobody/${field}`, body)).body.type).toBe('user_not_found');
});

test('ends the sessions of a user whose password it replaces or removes', async () => {
  const { cookies, userId } = await server.signUp('reset@example.com');
  expect((await asKey('PATCH', `/users/${userId}/password`, { password: '' })).body.password).toBe('');
  expect((await server.request('GET', '/account', { cookies })).status).toBe(401);
  const body = { email: 'reset@example.com', password: 'correct horse' };
  expect((await server.request('POST', '/account/sessions/email', { body })).status).toBe(401);
});

test('makes a JWT for a user with a session', async () => {
  const id = await create();
  expect((await asKey('POST', `/users/${id}/jwts`, {})).body.type).toBe('user_session_not_found');
  await asKey('POST', `/users/${id}/sessions`);
  const { body } = await asKey('POST', `/users/${id}/jwts`, {});
  const headers = { 'x-appwrite-jwt': String(body.jwt) };
  expect((await server.request('GET', '/account', { headers })).body.$id).toBe(id);
});
