import { expect, it } from 'vitest';
import { OLD_DATE, olderDatabase } from '../../tests/support/older-database.ts';
import { backendOfTest } from '../../tests/support/use-backend.ts';
import { digestOf, encodeSession } from '../account/tokens/secret.ts';

const USER = `INSERT INTO users
  (id, created_at, updated_at, name, email, email_verification, labels, registration, accessed_at, target_id)
  VALUES ('ann', '${OLD_DATE}', '${OLD_DATE}', 'Ann', 'ann@example.com', 1, '["vip"]', '${OLD_DATE}', '${OLD_DATE}', 't');`;

it('keeps users of version 1', async () => {
  const { request } = await backendOfTest({ directory: await olderDatabase(1, USER) });
  expect((await request('GET', '/users/ann', { asKey: true })).body).toMatchObject({ name: 'Ann' });
});

it('keeps users, sessions and tokens of version 3, and has teams for them', async () => {
  const directory = await olderDatabase(
    3,
    `${USER}
    INSERT INTO sessions (id, user_id, secret, created_at, updated_at, expire, provider, factors)
      VALUES ('s1', 'ann', '${digestOf('secret')}', '${OLD_DATE}', '${OLD_DATE}', '2999', 'email', '["password"]');
    INSERT INTO tokens (id, user_id, type, secret, created_at, expire)
      VALUES ('k1', 'ann', 'generic', '${digestOf('abc123')}', '2024', '2999'),
             ('k2', 'ann', 'recovery', '${digestOf('abc123')}', '2024', '2020');`,
  );
  const { request } = await backendOfTest({ directory });
  const session = encodeSession('ann', 'secret');
  const ann = { $id: 'ann', labels: ['vip'], emailVerification: true, mfa: false, $updatedAt: OLD_DATE };
  expect((await request('GET', '/account', { session })).body).toMatchObject(ann);
  const current = { $id: 's1', factors: ['password'], mfaUpdatedAt: '' };
  expect((await request('GET', '/account/sessions/current', { session })).body).toMatchObject(current);
  const made = await request('POST', '/teams', { session, body: { teamId: 't', name: 'Crew' } });
  expect(made).toMatchObject({ status: 201, body: { total: 1 } });
  const signIn = () => request('POST', '/account/sessions/token', { body: { userId: 'ann', secret: 'abc123' } });
  expect(await signIn()).toMatchObject({ status: 201, body: { userId: 'ann', provider: 'token' } });
  expect(await signIn()).toMatchObject({ status: 401 });
});
