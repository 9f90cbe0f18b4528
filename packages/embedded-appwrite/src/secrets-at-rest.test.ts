/** A copy of the database without the server's key contains no usable credential. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { KEY, PROJECT, type TestBackend } from '../tests/support/backend.ts';
import { OLD_DATE, olderDatabase } from '../tests/support/older-database.ts';
import { backendOfTest, useMailingBackend } from '../tests/support/use-backend.ts';
import { digestOf, encodeSession } from './account/tokens/secret.ts';
import { createEmbeddedBackend } from './index.ts';
import { codeOf, stepAt } from './mfa/totp.ts';

const PASSWORD = 'correct horse';
const KEY_OF_APP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const { server: mailing, mail } = useMailingBackend();

const everything = ({ directory }: TestBackend): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

/** Creates a data folder of an older release, which stored second factors in plain text. */
const olderFolder = () =>
  olderDatabase(
    6,
    `INSERT INTO users (id, created_at, updated_at, name, email, registration, accessed_at, mfa)
      VALUES ('ann', '${OLD_DATE}', '${OLD_DATE}', 'Ann', 'ann@example.com', '${OLD_DATE}', '${OLD_DATE}', 1);
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider, factors)
      VALUES ('s1', 'ann', '${digestOf('secret')}', '${OLD_DATE}', '${OLD_DATE}', '2999', 'email', '["password"]');
    INSERT INTO authenticators (user_id, secret, verified) VALUES ('ann', '${KEY_OF_APP}', 1);
    INSERT INTO recovery_codes (user_id, codes) VALUES ('ann', '["0123456789","abcdef0123"]');`,
  );

const session = encodeSession('ann', 'secret');

async function prove(server: TestBackend, factor: string, otp: string): Promise<number> {
  const asked = await server.request('POST', '/account/mfa/challenges', { session, body: { factor } });
  const body = { challengeId: asked.body.$id, otp };
  return (await server.request('PUT', '/account/mfa/challenges', { session, body })).status;
}

test('keeps no secret in plain text in any file', async () => {
  const server = mailing;
  const who = await server.signUp('ann@example.com', PASSWORD);
  const url = 'http://localhost/in';
  const mailed = async (address: string) => (await mail.linkTo(address)).get('secret');

  await server.request('POST', '/account/recovery', { body: { email: 'ann@example.com', url } });
  const recovery = await mailed('ann@example.com');
  await server.request('POST', '/account/verifications/email', { ...who, body: { url } });
  const verification = await mailed('ann@example.com');
  await server.request('POST', '/account/tokens/magic-url', { body: { userId: 'bob', email: 'bob@example.com', url } });
  const magic = await mailed('bob@example.com');
  await server.request('POST', '/teams', { ...who, body: { teamId: 'crew', name: 'Crew' } });
  const invite = { email: 'eve@example.com', roles: [], url };
  await server.request('POST', '/teams/crew/memberships', { ...who, body: invite });
  const invitation = await mailed('eve@example.com');
  const token = await server.request('POST', `/users/${who.userId}/tokens`, { asKey: true, body: { length: 64 } });
  const opened = await server.request('POST', `/users/${who.userId}/sessions`, { asKey: true, body: {} });
  const jwt = await server.request('POST', '/account/jwts', who);
  const app = await server.request('POST', '/account/mfa/authenticators/totp', who);
  const codes = await server.request('POST', '/account/mfa/recovery-codes', who);
  const secrets = [
    ...[PASSWORD, recovery, verification, magic, invitation],
    ...[token.body.secret, opened.body.secret, jwt.body.jwt, app.body.secret],
    ...(codes.body.recoveryCodes as string[]),
    ...who.cookies.split('; ').map((cookie) => cookie.split('=')[1]),
  ].map(String);
  expect(secrets.length).toBeGreaterThan(15);
  const kept = everything(server);
  expect(kept).toContain('ann@example.com');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(kept).not.toContain(secret);
    // A session secret is sent as base64-encoded JSON; the secret inside must not be stored either.
    const { secret: inner } = /^ey/.test(secret) && !secret.includes('.') ? JSON.parse(atob(secret)) : { secret };
    expect(kept).not.toContain(inner);
  }
});

test('seals the second factors of an older database at the start, and they still work', async () => {
  const server = await backendOfTest({ directory: await olderFolder() });
  const database = new DatabaseSync(join(server.directory, 'backend.sqlite'), { readOnly: true });
  const rows = JSON.stringify([
    ...database.prepare('SELECT * FROM authenticators').all(),
    ...database.prepare('SELECT * FROM recovery_codes').all(),
  ]);
  database.close();
  expect(rows).toContain('ann');
  for (const secret of [KEY_OF_APP, '0123456789', 'abcdef0123']) expect(rows).not.toContain(secret);
  expect((await server.request('GET', '/account', { session })).status).toBe(401);
  expect(await prove(server, 'totp', '000000')).toBe(401);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(200);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(401);
  expect(await prove(server, 'totp', codeOf(KEY_OF_APP, stepAt(Date.now())))).toBe(200);
  expect((await server.request('GET', '/account', { session })).status).toBe(200);
});

test('still asks for a second factor under another server key, which nothing proves, and logs what to do', async () => {
  const directory = await olderFolder();
  await createEmbeddedBackend({ directory, projectId: PROJECT, keys: [{ secret: KEY }], webOrigins: [] }).close();
  const logged: string[] = [];
  const keys = [{ secret: 'standard_another_key' }];
  const server = await backendOfTest({ directory, keys, log: (_level, message) => logged.push(message) });
  for (const step of ['PATCH /v1/users/ID/mfa {"mfa":false}', 'DELETE /v1/users/ID/mfa/authenticators/totp'])
    expect(logged.join()).toContain(step);
  expect((await server.request('GET', '/account', { session })).status).toBe(401);
  expect(await prove(server, 'totp', codeOf(KEY_OF_APP, stepAt(Date.now())))).toBe(401);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(401);
  const asKey = { headers: { 'x-appwrite-key': 'standard_another_key' } };
  expect((await server.request('DELETE', '/users/ann/mfa/authenticators/totp', asKey)).status).toBe(204);
  expect((await server.request('GET', '/account', { session })).status).toBe(200);
});
