/** A: sign-up (contract 2.1, 3). All tests but A01 and A12 sign up by key, which has no limit. */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { DATE, invalid, refused } from './expect.ts';
import { limitsServer, roomInWindow } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line, server } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { admin, guest, PASSWORD } from './people.ts';

const TAKEN = {
  code: 409,
  type: 'user_already_exists',
  message: 'A user with the same id, email, or phone already exists in this project.',
};

const PASSWORD_RULE = invalid('password', 'Password must be between 8 and 256 characters long.');

/** Signs up by key with a new id and address and the usual password, unless `fields` say otherwise. */
async function signUp(fields: Record<string, unknown> = {}): Promise<HttpResponse> {
  const { http } = admin(server());
  const answer = await http.post('/account', {
    userId: fresh('user'),
    email: freshEmail(),
    password: PASSWORD,
    ...fields,
  });
  if (answer.status === 201) forget(answer.json<Models.User>().$id);
  return answer;
}

function forget(userId: string): void {
  later(() => admin(server()).http.delete(`/users/${userId}`));
}

line('A01', 'sign-up makes a user with empty labels and preferences, an unverified e-mail and no session', async () => {
  const { http, web } = guest(server());
  const [userId, email] = [fresh('user'), freshEmail()];
  const answer = (await http.post('/account', { userId, email, password: PASSWORD, name: 'Ann' })).is(201);
  forget(userId);
  expect(answer.cookies).toEqual([]);
  expect(answer.json()).toMatchObject({
    $id: userId,
    $createdAt: expect.stringMatching(DATE),
    $updatedAt: expect.stringMatching(DATE),
    registration: expect.stringMatching(DATE),
    passwordUpdate: expect.stringMatching(DATE),
    accessedAt: expect.stringMatching(DATE),
    name: 'Ann',
    email,
    phone: '',
    status: true,
    labels: [],
    prefs: {},
    emailVerification: false,
    phoneVerification: false,
    mfa: false,
    targets: [{ userId, providerType: 'email', identifier: email, expired: false }],
  });
  const second = { userId: fresh('user'), email: freshEmail(), password: PASSWORD, name: 'Bea' };
  const user = await web.account.create(second);
  forget(second.userId);
  expect(user).toMatchObject({ $id: second.userId, email: second.email, name: 'Bea', labels: [] });
  expect(web.localStorage.getItem('cookieFallback')).toBeNull();
});

line('A02', 'e-mail addresses are kept in lower case and are taken whatever their case', async () => {
  const email = freshEmail();
  const user = (await signUp({ email: email.toUpperCase() })).is(201).json<Models.User>();
  expect(user.email).toBe(email);
  expect(user.targets[0]?.identifier).toBe(email);
  const { account } = admin(server()).node;
  await refused(
    TAKEN,
    signUp({ email }),
    signUp({ email: email.toUpperCase() }),
    account.create({ userId: fresh('user'), email, password: PASSWORD }),
  );
});

line('A04', 'an id that is taken is 409', async () => {
  const userId = fresh('user');
  (await signUp({ userId })).is(201);
  const { account } = admin(server()).node;
  await refused(TAKEN, signUp({ userId }), account.create({ userId, email: freshEmail(), password: PASSWORD }));
});

line('A05', 'the id unique() lets the server make one of 20 characters', async () => {
  const { $id } = (await signUp({ userId: 'unique()' })).is(201).json<Models.User>();
  expect($id).toMatch(/^[a-zA-Z0-9]{20}$/);
});

line('A06', 'an id that begins with a mark or has 37 characters is 400', async () => {
  const rule = invalid(
    'userId',
    "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
  );
  const { account } = guest(server()).node;
  await refused(
    rule,
    signUp({ userId: '_ann' }),
    signUp({ userId: 'a'.repeat(37) }),
    signUp({ userId: 'ann/ann' }),
    account.create({ userId: '_ann', email: freshEmail(), password: PASSWORD }),
  );
});

line('A08', 'a password has 8 to 256 bytes', async () => {
  await refused(
    PASSWORD_RULE,
    signUp({ password: 'a'.repeat(7) }),
    signUp({ password: 'a'.repeat(257) }),
    admin(server()).node.account.create({ userId: fresh('user'), email: freshEmail(), password: 'short' }),
  );
  (await signUp({ password: 'a'.repeat(8) })).is(201);
  (await signUp({ password: 'a'.repeat(256) })).is(201);
  (await signUp({ password: 'é'.repeat(4) })).is(201);
});

line('A10', 'an invalid e-mail and a name of 129 characters are 400; without a name it is empty', async () => {
  await refused(
    invalid('email', 'Value must be a valid email address'),
    signUp({ email: 'ann' }),
    signUp({ email: 'ann@' }),
    admin(server()).node.account.create({ userId: fresh('user'), email: 'ann', password: PASSWORD }),
  );
  await refused(invalid('name'), signUp({ name: 'n'.repeat(129) }));
  expect((await signUp({ name: 'n'.repeat(128) })).is(201).json<Models.User>().name).toHaveLength(128);
  expect((await signUp()).is(201).json<Models.User>().name).toBe('');
});

line(
  'A12',
  'the eleventh sign-up of an hour from one address is 429, invalid ones counted; a key is not limited',
  async (context) => {
    const limited = await limitsServer(context);
    const { http, web } = guest(limited);
    await roomInWindow(3600, 10);
    const first = await http.post('/account', { userId: '_' });
    if (first.status === 429) return context.skip('this address has used up the sign-ups of this hour');
    const left = Number(first.header('x-ratelimit-remaining'));
    expect(left).toBeLessThanOrEqual(9);
    for (let used = 0; used < left; used += 1) (await http.post('/account', { userId: '_' })).is(400);
    const valid = () => ({ userId: fresh('user'), email: freshEmail(), password: PASSWORD });
    await refused(
      {
        code: 429,
        type: 'general_rate_limit_exceeded',
        message: 'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
      },
      http.post('/account', valid()),
      web.account.create(valid()),
    );
    const byKey = (await admin(limited).http.post('/account', valid())).is(201).json<Models.User>();
    await admin(limited).http.delete(`/users/${byKey.$id}`);
  },
);
