/** I: account and users beyond part 1 (contract, part 2, 9). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { DATE, GUEST_WITHOUT_ACCOUNT, invalid, refused } from './expect.ts';
import { line, server } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, guest, PASSWORD, person, signIn } from './people.ts';
import { collection, database, document, owner } from './schema.ts';

const BLOCKED = { code: 403, type: 'user_blocked' };
const WRONG_PASSWORD = { code: 401, type: 'user_invalid_credentials' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function anonymous() {
  const answer = (await guest(server()).http.post('/account/sessions/anonymous', {})).is(201);
  const { userId } = answer.json<Models.Session>();
  later(() => admin(server()).http.delete(`/users/${userId}`));
  const cookie = answer.cookie(`a_session_${server().projectId}`.toLowerCase());
  return { id: userId, http: guest(server()).http.with({ cookie: `${cookie?.name}=${cookie?.value}` }) };
}

line(
  'I24',
  'a new address needs the password, is nobody else’s, and is unverified; who has no password sets it',
  async () => {
    const { http: key } = admin(server());
    const other = await account(server());
    const { id, email, http } = await signIn(server(), await account(server()));
    (await key.patch(`/users/${id}/verification`, { emailVerification: true })).is(200);
    const change = (address: string, password = PASSWORD) => http.patch('/account/email', { email: address, password });
    await refused(WRONG_PASSWORD, change(freshEmail(), 'not-the-password'));
    await refused(
      [{ code: 409, type: 'user_target_already_exists' }, { code: 400 }],
      change(other.email),
      change(email),
    );
    const next = freshEmail();
    expect((await change(next)).is(200).json()).toMatchObject({ email: next, emailVerification: false });

    const made = await person(server());
    const own = freshEmail();
    (await made.http.patch('/account/email', { email: own, password: PASSWORD })).is(200);
    await signIn(server(), { id: made.id, email: own, password: PASSWORD });

    const nobody = await anonymous();
    const full = freshEmail();
    expect(
      (await nobody.http.patch('/account/email', { email: full, password: PASSWORD })).is(200).json(),
    ).toMatchObject({
      $id: nobody.id,
      email: full,
    });
    await signIn(server(), { id: nobody.id, email: full, password: PASSWORD });
  },
);

line(
  'I25',
  'names and preferences have their bounds; the first password needs no old one, the second does',
  async () => {
    const { id, email, http } = await person(server());
    await refused(invalid('name'), http.patch('/account/name', { name: 'n'.repeat(129) }));
    const nested = { a: { b: [1, { c: null }] } };
    expect((await http.patch('/account/prefs', { prefs: nested })).is(200).json()).toMatchObject({ prefs: nested });
    expect((await http.patch('/account/prefs', { prefs: {} })).is(200).json<Models.User>().prefs).toEqual({});
    expect((await http.get('/account/prefs')).is(200).text).toBe('{}');
    await refused(
      invalid('prefs'),
      http.patch('/account/prefs', { prefs: ['list'] }),
      http.patch('/account/prefs', { prefs: 'text' }),
      http.patch('/account/prefs', { prefs: { long: 'x'.repeat(65_536) } }),
    );
    (await http.patch('/account/password', { password: PASSWORD })).is(200);
    await signIn(server(), { id, email, password: PASSWORD });
    const second = 'another-horse-2';
    await refused(WRONG_PASSWORD, http.patch('/account/password', { password: second }));
    (await http.patch('/account/password', { password: second, oldPassword: PASSWORD })).is(200);
  },
);

line('I26', 'a blocked user is refused everywhere, with session and JWT; both live again with him', async () => {
  const { http: key } = admin(server());
  const who = await account(server());
  const { id, http } = await signIn(server(), who);
  const { jwt } = (await http.post('/account/jwts', {})).is(201).json<Models.Jwt>();
  const byJwt = guest(server()).http.with({ 'x-appwrite-jwt': jwt });
  const where = await collection(server(), await database(server()), { permissions: ['read("any")'] });
  (await key.patch(`/users/${id}/status`, { status: false })).is(200);
  await refused(invalid('status'), key.patch(`/users/${id}/status`, { status: 'perhaps' }));
  await refused(
    BLOCKED,
    http.get('/account'),
    http.get(where.documents),
    http.put('/account/verifications/email', {}),
    http.delete('/account/sessions/current', {}),
    byJwt.get('/account'),
    byJwt.get(where.documents),
  );
  const login = (password: string) =>
    guest(server()).http.post('/account/sessions/email', { email: who.email, password });
  await refused(BLOCKED, login(PASSWORD));
  await refused(WRONG_PASSWORD, login('not-the-password'));
  (await key.patch(`/users/${id}/status`, { status: true })).is(200);
  for (const each of [http, byJwt]) (await each.get('/account')).is(200);
});

line('I27', 'a user may block himself', async () => {
  const { http } = await person(server());
  await refused(GUEST_WITHOUT_ACCOUNT, guest(server()).http.patch('/account/status', {}));
  const answer = (await http.patch('/account/status', {})).is(200);
  expect(answer.json<Models.User>().status).toBe(false);
  const names = [`a_session_${server().projectId}`, `a_session_${server().projectId}_legacy`];
  for (const name of names) {
    const expires = answer.cookie(name.toLowerCase())?.attributes.get('expires') ?? '';
    expect(Date.parse(expires)).toBeLessThan(Date.now());
  }
  expect(answer.header('x-fallback-cookies')).toBe('[]');
  await refused(BLOCKED, http.get('/account'), http.patch('/account/status', {}));
});

line('I28', 'a deleted user is gone at once; who takes his id gets no session of his', async () => {
  const { http: key } = admin(server());
  const { id, email, http } = await person(server());
  const { jwt } = (await http.post('/account/jwts', {})).is(201).json<Models.Jwt>();
  const where = await collection(server(), await database(server()), { documentSecurity: true });
  const { $id } = await document(server(), where, {}, owner(id));
  (await key.delete(`/users/${id}`)).is(204);
  const byJwt = guest(server()).http.with({ 'x-appwrite-jwt': jwt });
  await refused(GUEST_WITHOUT_ACCOUNT, http.get('/account'), byJwt.get('/account'));
  (await key.get(where.document($id))).is(200);
  (await key.post('/users', { userId: id, email })).is(201);
  await refused(GUEST_WITHOUT_ACCOUNT, http.get('/account'), byJwt.get('/account'));

  const own = await person(server());
  (await own.http.delete('/account', {})).is(204);
  await refused(GUEST_WITHOUT_ACCOUNT, own.http.get('/account'));
  await refused({ code: 404, type: 'user_not_found' }, key.get(`/users/${own.id}`));
});

line('I29', 'a key ends all of a user’s sessions, and their JWTs with them', async () => {
  const { http: key, node } = admin(server());
  const who = await account(server());
  const [first, second] = [await signIn(server(), who), await signIn(server(), who)];
  const { jwt } = (await first.http.post('/account/jwts', {})).is(201).json<Models.Jwt>();
  await refused(
    { code: 404, type: 'user_session_not_found' },
    key.delete(`/users/${who.id}/sessions/${fresh('session')}`),
  );
  await node.users.deleteSessions({ userId: who.id });
  await refused(
    GUEST_WITHOUT_ACCOUNT,
    first.http.get('/account'),
    second.http.get('/account'),
    guest(server()).http.with({ 'x-appwrite-jwt': jwt }).get('/account'),
  );
  (await key.delete(`/users/${who.id}/sessions`)).is(204);
  (await key.delete(`/users/${who.id}/sessions/${first.sessionId}`)).is(404);
});

line('I30', 'the list of sessions has every field, no secret, and knows the current one', async () => {
  const { http: key, node } = admin(server());
  const who = await account(server());
  (await key.post(`/users/${who.id}/sessions`)).is(201);
  const body = { email: who.email, password: who.password };
  const browser = guest(server()).http.with({ 'user-agent': FIREFOX });
  const answer = (await browser.post('/account/sessions/email', body)).is(201);
  const { secret } = await node.users.createToken({ userId: who.id });
  (await guest(server()).http.post('/account/sessions/token', { userId: who.id, secret })).is(201);
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const list = (await browser.with({ cookie }).get('/account/sessions')).is(200).json<Models.SessionList>();
  expect(list.total).toBe(3);
  expect(list.sessions.map(({ provider, current, secret }) => ({ provider, current, secret }))).toEqual([
    { provider: 'server', current: false, secret: '' },
    { provider: 'email', current: true, secret: '' },
    { provider: 'token', current: false, secret: '' },
  ]);
  const texts =
    'providerUid providerAccessToken providerAccessTokenExpiry providerRefreshToken ip osCode osName osVersion clientType clientCode clientName clientVersion clientEngine clientEngineVersion deviceName deviceBrand deviceModel countryCode countryName mfaUpdatedAt';
  for (const session of list.sessions) {
    expect(session).toMatchObject({
      $id: expect.any(String),
      $createdAt: expect.stringMatching(DATE),
      $updatedAt: expect.stringMatching(DATE),
      userId: who.id,
      expire: expect.stringMatching(DATE),
      factors: expect.any(Array),
      ...Object.fromEntries(texts.split(' ').map((name) => [name, expect.any(String)])),
    });
  }
  expect(list.sessions[1]).toMatchObject({
    osCode: 'LIN',
    osName: 'GNU/Linux',
    clientType: 'browser',
    clientName: 'Firefox',
    deviceName: 'desktop',
    factors: ['password'],
    mfaUpdatedAt: '',
  });
});
