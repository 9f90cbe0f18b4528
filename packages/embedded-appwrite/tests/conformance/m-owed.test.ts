/** M: sessions that owe a second factor, and its proof (contract, part 2, 8). */
import { type Account, AuthenticationFactor, AuthenticatorType } from 'appwrite';
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { once } from './cleanup.ts';
import { DATE, refused } from './expect.ts';
import { mailServer } from './facilities.ts';
import { App, anotherSession, authenticatorOf, BAD_CODE, CHALLENGES, challenge, OWED, TOTP } from './factors.ts';
import { Http } from './http.ts';
import { line, server } from './line.ts';
import { codeOf, mailTo } from './mailbox.ts';
import { account, admin, guest, type Person, person, signIn } from './people.ts';
import { schema } from './schema.ts';
import { browser27 } from './sdk.ts';

const db = once(() => schema(server()));

line('M03', 'a session that owes a factor may do nothing but prove it, or end', async () => {
  const who = await account(server());
  const u = await signIn(server(), who);
  await authenticatorOf(u);
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const { email, password } = who;
  const login = await guest(server()).http.post('/account/sessions/email', { email, password });
  expect(login.is(201).json()).toMatchObject({ factors: ['password'] });
  const cookie = login.cookie(`a_session_${server().projectId}`)?.value ?? '';
  const own = Http.to(server(), { cookie: `a_session_${server().projectId}=${cookie}` });
  const { pub } = await db();
  await refused(
    OWED,
    own.get('/account'),
    own.get('/account/prefs'),
    own.get('/account/sessions'),
    own.patch('/account/name', { name: 'x' }),
    own.patch('/account/mfa', { mfa: false }),
    own.post('/account/jwts'),
    own.post(TOTP),
    own.get('/teams'),
    own.get(pub.documents),
    own.post(pub.documents, { documentId: 'unique()', data: { title: 'x' } }),
    own.get('/storage/buckets/any/files'),
    own.post('/account/sessions/email', { email, password }),
    own.post('/account/recovery', { email, url: 'http://localhost' }),
    own.get('/ping'),
  );
  expect((await own.get('/account/mfa/factors')).is(200).json()).toMatchObject({ totp: true });
  (await own.post(CHALLENGES, { factor: 'totp' })).is(201);
  (await own.delete('/account/sessions/current')).is(204);
});

line('M04', 'the authenticator’s code proves the factor, once', async () => {
  const [u, v] = [await person(server()), await person(server())];
  const app = await authenticatorOf(u);
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const other = await anotherSession(server(), u);
  const made = (await other.http.post(CHALLENGES, { factor: 'totp' })).is(201).json<Models.MfaChallenge>();
  expect(made).toEqual({
    $id: expect.any(String),
    $createdAt: expect.stringMatching(DATE),
    userId: u.id,
    expire: expect.stringMatching(DATE),
  });
  const otp = await app.code();
  const put = (challengeId: string, code: string, by = other.http) => by.put(CHALLENGES, { challengeId, otp: code });
  const wrong = otp === '000000' ? '000001' : '000000';
  await refused(BAD_CODE, put(made.$id, wrong), put('unknown', otp), put(made.$id, otp, v.http));
  const session = (await put(made.$id, otp)).is(200).json<Models.Session>();
  expect(session).toMatchObject({ $id: other.sessionId, factors: ['server', 'totp'] });
  expect(session.mfaUpdatedAt).not.toBe('');
  const read = (await other.http.get('/account/sessions/current')).is(200).json<Models.Session>();
  expect(Date.now() - Date.parse(read.mfaUpdatedAt)).toBeLessThan(60_000);
  await refused(BAD_CODE, put(made.$id, otp));
  if (server().embedded) await refused(BAD_CODE, put(await challenge(other.http, 'totp'), otp));
});

line('M05', 'a mailed code proves the factor', async (context) => {
  const where = await mailServer(context);
  const u = await person(where);
  const { http } = admin(where);
  await refused(
    { code: 400, type: 'user_email_not_verified', message: 'User email is not verified' },
    u.http.post(CHALLENGES, { factor: 'email' }),
  );
  (await http.patch(`/users/${u.id}/verification`, { emailVerification: true })).is(200);
  (await http.patch(`/users/${u.id}/mfa`, { mfa: true })).is(200);
  await refused(OWED, u.http.get('/account'));
  const challengeId = await challenge(u.http, 'email');
  const otp = codeOf(await mailTo(u.email));
  expect(otp).toMatch(/^\d{6}$/);
  const wrong = otp === '000000' ? '000001' : '000000';
  await refused(BAD_CODE, u.http.put(CHALLENGES, { challengeId, otp: wrong }));
  expect((await u.http.put(CHALLENGES, { challengeId, otp })).is(200).json()).toMatchObject({
    factors: ['server', 'email'],
  });
  (await u.http.get('/account')).is(200);
  await refused(BAD_CODE, u.http.put(CHALLENGES, { challengeId, otp }));
});

line('M09', 'sessions of keys and tokens owe it too; a key frees them', async () => {
  const u = await person(server());
  const { http } = admin(server());
  (await http.patch(`/users/${u.id}/verification`, { emailVerification: true })).is(200);
  (await http.patch(`/users/${u.id}/mfa`, { mfa: true })).is(200);
  const { secret } = (await http.post(`/users/${u.id}/tokens`)).is(201).json<Models.Token>();
  const login = await guest(server()).http.post('/account/sessions/token', { userId: u.id, secret });
  expect(login.is(201).json()).toMatchObject({ factors: ['token'] });
  const cookie = login.cookie(`a_session_${server().projectId}`)?.value ?? '';
  const byToken = Http.to(server(), { cookie: `a_session_${server().projectId}=${cookie}` });
  const byKey = await anotherSession(server(), u);
  await refused(OWED, byToken.get('/account'), byKey.http.get('/account'), u.http.get('/account'));
  (await http.patch(`/users/${u.id}/mfa`, { mfa: false })).is(200);
  for (const by of [byToken, byKey.http, u.http]) (await by.get('/account')).is(200);
});

line('M10', 'whoever turns it on is not locked out; other sessions are', async () => {
  const u = await signIn(server(), await account(server()));
  const { http } = admin(server());
  const other = await anotherSession(server(), u);
  (await http.patch(`/users/${u.id}/verification`, { emailVerification: true })).is(200);
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const session = (await u.http.get('/account/sessions/current')).is(200).json<Models.Session>();
  expect(session.factors).toEqual(['password', 'email']);
  await refused(OWED, other.http.get('/account'));
});

/** Both SDK generations have these methods; only their private members differ, which the compiler rejects. */
function accountOf({ web, session }: Person, generation: number): Account {
  return generation === 28 ? web.account : (browser27(server(), { session }).account as unknown as Account);
}

line('M15', 'both SDKs go the whole way', async () => {
  const type = AuthenticatorType.Totp;
  for (const generation of [27, 28]) {
    const who = await account(server());
    const first = accountOf(await signIn(server(), who), generation);
    const { secret } = await first.createMFAAuthenticator({ type });
    const app = new App(secret);
    await first.updateMFAAuthenticator({ type, otp: app.now() });
    const { recoveryCodes } = await first.createMFARecoveryCodes();
    expect(await first.updateMFA({ mfa: true })).toMatchObject({ mfa: true });
    expect(await first.listMFAFactors()).toEqual({ totp: true, phone: false, email: false, recoveryCode: true });
    const next = accountOf(await signIn(server(), who), generation);
    await refused(OWED, next.get());
    const { $id: challengeId } = await next.createMFAChallenge({ factor: AuthenticationFactor.Totp });
    expect(await next.updateMFAChallenge({ challengeId, otp: await app.code() })).toMatchObject({
      factors: ['password', 'totp'],
    });
    expect(await next.get()).toMatchObject({ $id: who.id, mfa: true });
    expect(await next.getMFARecoveryCodes()).toEqual({ recoveryCodes });
    expect((await next.updateMFARecoveryCodes()).recoveryCodes).toHaveLength(6);
    await next.deleteMFAAuthenticator({ type });
    expect(await next.updateMFA({ mfa: false })).toMatchObject({ mfa: false });
  }
});
