/** A copy of the database without the server's key contains no usable credential. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../tests/support/backend.ts';
import { startMailServer } from '../tests/support/mail-server.ts';
import { OLD_DATE, olderDatabase } from '../tests/support/older-database.ts';
import { digestOf, encodeSession } from './account/tokens/secret.ts';
import { codeOf, stepAt } from './mfa/totp.ts';

const PASSWORD = 'correct horse';
const KEY_OF_APP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Returns every byte of the data folder, including the WAL. */
const everything = ({ directory }: TestBackend): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

/** Creates a folder left by a release that stored second factors unsealed. */
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

const headers = { 'x-appwrite-session': encodeSession('ann', 'secret') };

async function prove(server: TestBackend, factor: string, otp: string): Promise<number> {
  const asked = await server.request('POST', '/account/mfa/challenges', { headers, body: { factor } });
  const body = { challengeId: asked.body.$id, otp };
  return (await server.request('PUT', '/account/mfa/challenges', { headers, body })).status;
}

test('no secret is in any file as it is', async () => {
  const mail = await startMailServer();
  ends.push(mail.stop);
  const server = await startTestBackend({
    mail: mail.options,
  });
  ends.push(server.stop);
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
  const session = await server.request('POST', `/users/${who.userId}/sessions`, { asKey: true, body: {} });
  const jwt = await server.request('POST', '/account/jwts', who);
  const app = await server.request('POST', '/account/mfa/authenticators/totp', who);
  const codes = await server.request('POST', '/account/mfa/recovery-codes', who);
  const secrets = [
    ...[PASSWORD, recovery, verification, magic, invitation],
    ...[token.body.secret, session.body.secret, jwt.body.jwt, app.body.secret],
    ...(codes.body.recoveryCodes as string[]),
    ...who.cookies.split('; ').map((cookie) => cookie.split('=')[1]),
  ].map(String);
  expect(secrets.length).toBeGreaterThan(15);
  const kept = everything(server);
  expect(kept).toContain('ann@example.com');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(kept).not.toContain(secret);
    // A session secret travels as base64 of its JSON.
    const { secret: inner } = /^ey/.test(secret) && !secret.includes('.') ? JSON.parse(atob(secret)) : { secret };
    expect(kept).not.toContain(inner);
  }
});

test('the second factors of an older database are sealed at the start, and hold on', async () => {
  const server = await startTestBackend({ directory: await olderFolder() });
  ends.push(server.stop);
  const database = new DatabaseSync(join(server.directory, 'backend.sqlite'), { readOnly: true });
  const rows = JSON.stringify([
    ...database.prepare('SELECT * FROM authenticators').all(),
    ...database.prepare('SELECT * FROM recovery_codes').all(),
  ]);
  database.close();
  expect(rows).toContain('ann');
  for (const secret of [KEY_OF_APP, '0123456789', 'abcdef0123']) expect(rows).not.toContain(secret);
  expect((await server.request('GET', '/account', { headers })).status).toBe(401);
  expect(await prove(server, 'totp', '000000')).toBe(401);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(200);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(401);
  expect(await prove(server, 'totp', codeOf(KEY_OF_APP, stepAt(Date.now())))).toBe(200);
  expect((await server.request('GET', '/account', { headers })).status).toBe(200);
});

test('under another server key a second factor is owed still, nothing proves it, and the log says what to do', async () => {
  const directory = await olderFolder();
  await (await startTestBackend({ directory })).backend.close();
  const logged: string[] = [];
  const server = await startTestBackend({
    directory,
    keys: [{ secret: 'standard_another_key' }],
    log: (_level, message) => logged.push(message),
  });
  ends.push(server.stop);
  for (const step of ['PATCH /v1/users/ID/mfa {"mfa":false}', 'DELETE /v1/users/ID/mfa/authenticators/totp'])
    expect(logged.join()).toContain(step);
  expect((await server.request('GET', '/account', { headers })).status).toBe(401);
  expect(await prove(server, 'totp', codeOf(KEY_OF_APP, stepAt(Date.now())))).toBe(401);
  expect(await prove(server, 'recoverycode', '0123456789')).toBe(401);
  const asKey = { headers: { 'x-appwrite-key': 'standard_another_key' } };
  expect((await server.request('DELETE', '/users/ann/mfa/authenticators/totp', asKey)).status).toBe(204);
  expect((await server.request('GET', '/account', { headers })).status).toBe(200);
});
