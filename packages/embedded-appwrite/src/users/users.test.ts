import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';

let server: TestBackend;
beforeAll(async () => {
  server = await startTestBackend({ anonymous: true });
});
afterAll(() => server.stop());

const asKey = (method: string, path: string, body?: unknown) => server.request(method, path, { asKey: true, body });
let people = 0;
async function create(fields: object = {}): Promise<string> {
  const reply = await asKey('POST', '/users', { userId: `u${people++}`, ...fields });
  expect(reply.status).toBe(201);
  return String(reply.body.$id);
}

describe('a user made by a key', () => {
  test.each([{ email: 'twice@example.com' }, { phone: '+15551234567' }])('%j twice is 409', async (fields) => {
    await create(fields);
    const reply = await asKey('POST', '/users', { userId: 'unique()', ...fields });
    expect(reply.body).toMatchObject({ code: 409, type: 'user_already_exists' });
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
  test('is searched by the words of name, e-mail and id, any of them', async () => {
    const id = await create({ name: '100%_sure Ünal', email: 'sure@example.com' });
    const found = async (search: string) =>
      (await asKey('GET', `/users?search=${encodeURIComponent(search)}`)).body.users as { $id: string }[];
    for (const search of ['100%_', 'SURE@nowhere', 'nobody ünal', 'Üna', id])
      expect((await found(search)).map(({ $id }) => $id)).toContain(id);
    for (const search of ['nal', 'nobody', '%', '_"\'*', 'null']) expect(await found(search)).toEqual([]);
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
});

describe('sessions and tokens', () => {
  test('a JWT needs a session to stand for', async () => {
    const id = await create();
    expect((await asKey('POST', `/users/${id}/jwts`, {})).body.type).toBe('user_session_not_found');
    await asKey('POST', `/users/${id}/sessions`);
    const { body } = await asKey('POST', `/users/${id}/jwts`, {});
    const headers = { 'x-appwrite-jwt': String(body.jwt) };
    expect((await server.request('GET', '/account', { headers })).body.$id).toBe(id);
  });
});
