/** A database from before there were teams, opened by this release. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { digestOf, encodeSession } from '../account/tokens/secret.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';
import { openStore } from '../sqlite/store.ts';

let server: TestBackend | undefined;
afterEach(() => server?.stop());

it('keeps users and sessions, and has teams for them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'version-3-'));
  const store = openStore(
    directory,
    MIGRATIONS.filter(({ version }) => version <= 3),
  );
  const date = '2024-01-01T00:00:00.000+00:00';
  store.database.exec(`
    INSERT INTO users (id, created_at, updated_at, name, email, email_verification, labels, registration, accessed_at, target_id)
      VALUES ('ann', '${date}', '${date}', 'Ann', 'ann@example.com', 1, '["vip"]', '${date}', '${date}', 'target');
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider, factors)
      VALUES ('s1', 'ann', '${digestOf('secret')}', '${date}', '${date}', '2999-01-01T00:00:00.000+00:00', 'email', '["password"]');`);
  await store.close();

  server = await startTestBackend({ directory });
  const headers = { 'x-appwrite-session': encodeSession('ann', 'secret') };
  expect(await server.request('GET', '/account', { headers })).toMatchObject({
    status: 200,
    body: { $id: 'ann', name: 'Ann', labels: ['vip'], emailVerification: true, mfa: false, $createdAt: date },
  });
  expect(await server.request('GET', '/teams', { headers })).toMatchObject({ body: { total: 0, teams: [] } });
  const made = await server.request('POST', '/teams', { headers, body: { teamId: 't', name: 'Crew' } });
  expect(made).toMatchObject({ status: 201, body: { total: 1 } });
  expect(await server.request('GET', '/account/sessions/current', { headers })).toMatchObject({
    body: { $id: 's1', factors: ['password'], mfaUpdatedAt: '' },
  });
});
