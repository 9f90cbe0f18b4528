/** Permissions still name the ids of deleted users, so a new user must not get one. */
import { afterEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { OLD_DATE, olderDatabase } from '../../tests/support/older-database.ts';

let server: TestBackend;
afterEach(() => server.stop());

const BODY = { email: 'mallory@example.com', password: 'correct horse' };
const mail = {
  host: '127.0.0.1',
  port: 9,
  secure: 'none',
  from: { name: 'Test', address: 'test@example.com' },
} as const;

/** Tries every route on which a guest can create an account with this id; returns the answers. */
async function takenBy(userId: string): Promise<unknown[]> {
  const url = 'http://localhost/welcome';
  const asked = [
    server.request('POST', '/account', { body: { ...BODY, userId } }),
    server.request('POST', '/account/tokens/email', { body: { userId, email: BODY.email } }),
    server.request('POST', '/account/tokens/magic-url', { body: { userId, email: BODY.email, url } }),
  ];
  return (await Promise.all(asked)).map(({ status, body }) => `${status} ${body.type}`);
}

const TAKEN = Array(3).fill('409 user_already_exists');

test('the id of an account that its owner deleted is given to no stranger, and by a key alone', async () => {
  server = await startTestBackend({ mail });
  const ann = await server.signUp('ann@example.com');
  await server.request('DELETE', '/account', { cookies: ann.cookies });
  expect(await takenBy(ann.userId)).toEqual(TAKEN);
  const again = { asKey: true, body: { userId: ann.userId, email: 'ann@example.com' } };
  expect((await server.request('POST', '/users', again)).status).toBe(201);
});

test('the id of an account that a key deleted stays taken when the backend is started again', async () => {
  server = await startTestBackend({ mail });
  const { userId } = await server.signUp('ann@example.com');
  await server.request('DELETE', `/users/${userId}`, { asKey: true });
  await server.restart();
  expect(await takenBy(userId)).toEqual(TAKEN);
});

test('the id of a user who was deleted under an earlier release, and whom documents or files name, stays taken', async () => {
  const directory = await olderDatabase(
    7,
    `INSERT INTO roles (role) VALUES ('any'), ('user:wrote'), ('user:ann'), ('user:ann/verified');
    INSERT INTO storage_usage (owner, bytes) VALUES ('key', 1), ('user:uploaded', 0);
    INSERT INTO users (id, created_at, updated_at, name, email, registration, accessed_at)
      VALUES ('ann', '${OLD_DATE}', '${OLD_DATE}', 'Ann', 'ann@example.com', '${OLD_DATE}', '${OLD_DATE}');`,
  );
  server = await startTestBackend({ directory, mail });
  expect(await takenBy('wrote')).toEqual(TAKEN);
  expect(await takenBy('uploaded')).toEqual(TAKEN);
  expect((await server.request('GET', '/users/ann', { asKey: true })).status).toBe(200);
  expect((await server.request('POST', '/account', { body: { ...BODY, userId: 'nobody' } })).status).toBe(201);
});
