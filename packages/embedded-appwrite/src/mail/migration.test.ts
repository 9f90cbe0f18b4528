/** A database of the third version, which knows no mail yet, opened by this release. */
import { hash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore } from '../sqlite/store.ts';

let server: TestBackend | undefined;
afterEach(() => server?.stop());

it('goes on with its users, sessions and tokens', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'version-3-'));
  const store = openStore(directory, MIGRATIONS.slice(0, 3));
  const [session, token] = ['f'.repeat(256), 'abc123'];
  store.database.exec(`
    INSERT INTO users (id, created_at, updated_at, name, email, email_verification, registration, accessed_at, target_id)
      VALUES ('ann', '2024-01-01T00:00:00.000+00:00', '2024-01-01T00:00:00.000+00:00', 'Ann', 'ann@example.com', 1,
              '2024-01-01T00:00:00.000+00:00', '2024-01-01T00:00:00.000+00:00', 't1');
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider)
      VALUES ('s1', 'ann', '${hash('sha256', session)}', '2024', '2024', '2999', 'email');
    INSERT INTO tokens (id, user_id, type, secret, created_at, expire)
      VALUES ('k1', 'ann', 'generic', '${hash('sha256', token)}', '2024', '2999'),
             ('k2', 'ann', 'recovery', '${hash('sha256', token)}', '2024', '2020');`);
  await store.close();

  server = await startTestBackend({ directory });
  const value = Buffer.from(JSON.stringify({ id: 'ann', secret: session })).toString('base64');
  const headers = { 'x-appwrite-session': value };
  expect((await server.request('GET', '/account', { headers })).body).toMatchObject({
    $id: 'ann',
    emailVerification: true,
    $updatedAt: '2024-01-01T00:00:00.000+00:00',
  });
  const body = { userId: 'ann', secret: token };
  expect((await server.request('POST', '/account/sessions/token', { body })).body).toMatchObject({
    userId: 'ann',
    provider: 'token',
  });
  expect(await server.request('POST', '/account/sessions/token', { body })).toMatchObject({ status: 401 });
});
