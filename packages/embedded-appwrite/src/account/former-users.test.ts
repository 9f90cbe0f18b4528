/** Permissions may still contain the id of a deleted user, so a new user must not get the same id. */
import { expect, test } from 'vitest';
import type { TestBackend } from '../../tests/support/backend.ts';
import { OLD_DATE, olderDatabase } from '../../tests/support/older-database.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';

const BODY = { email: 'mallory@example.com', password: 'correct horse' };
const mail = { host: '127.0.0.1', port: 9, secure: 'none', from: { address: 'test@example.com' } } as const;

/** Tries to create an account with this id through every route open to guests; returns each status and error type. */
async function takenBy(server: TestBackend, userId: string): Promise<unknown[]> {
  const url = 'http://localhost/welcome';
  const asked = [
    server.request('POST', '/account', { body: { ...BODY, userId } }),
    server.request('POST', '/account/tokens/email', { body: { userId, email: BODY.email } }),
    server.request('POST', '/account/tokens/magic-url', { body: { userId, email: BODY.email, url } }),
  ];
  return (await Promise.all(asked)).map(({ status, body }) => `${status} ${body.type}`);
}

const TAKEN = Array(3).fill('409 user_already_exists');

test('only a key reuses the id of a deleted account, also after a restart', async () => {
  const server = await backendOfTest({ mail });
  const [ann, bob] = [await server.signUp('ann@example.com'), await server.signUp('bob@example.com')];
  await server.request('DELETE', '/account', { cookies: ann.cookies });
  await server.request('DELETE', `/users/${bob.userId}`, { asKey: true });
  expect(await takenBy(server, ann.userId)).toEqual(TAKEN);
  await server.restart();
  expect(await takenBy(server, bob.userId)).toEqual(TAKEN);
  const again = { asKey: true, body: { userId: ann.userId, email: 'ann@example.com' } };
  expect((await server.request('POST', '/users', again)).status).toBe(201);
});

test('the id of a user deleted under an earlier release, whom documents or files name, stays taken', async () => {
  const directory = await olderDatabase(
    7,
    `INSERT INTO roles (role) VALUES ('any'), ('user:wrote'), ('user:ann'), ('user:ann/verified');
    INSERT INTO storage_usage (owner, bytes) VALUES ('key', 1), ('user:uploaded', 0);
    INSERT INTO users (id, created_at, updated_at, name, email, registration, accessed_at)
      VALUES ('ann', '${OLD_DATE}', '${OLD_DATE}', 'Ann', 'ann@example.com', '${OLD_DATE}', '${OLD_DATE}');`,
  );
  const server = await backendOfTest({ directory, mail });
  expect(await takenBy(server, 'wrote')).toEqual(TAKEN);
  expect(await takenBy(server, 'uploaded')).toEqual(TAKEN);
  expect((await server.request('GET', '/users/ann', { asKey: true })).status).toBe(200);
  expect((await server.request('POST', '/account', { body: { ...BODY, userId: 'nobody' } })).status).toBe(201);
});
