/** M: authenticators, recovery codes, sessions awaiting a factor, and events (contract part 2, sections 7 and 8). */
import { AuthenticationFactor, AuthenticatorType } from 'appwrite';
import type { Models } from 'node-appwrite';
import { App } from '../support/authenticator-app.ts';
import { DATE, error, INVALID, MISSING_SCOPE, NO_USER, refused } from './expect.ts';
import type { Answer, Http } from './http.ts';
import { expect, test } from './kit.ts';
import { codeOf, mailTo } from './mailbox.ts';
import type { Person } from './people.ts';
import { account, anotherSession, guestOf, keyOf, logIn, person, server, signedIn, signIn } from './people.ts';
import { browser } from './sdk.ts';
import { joined, teamOf } from './teams.ts';
import { hook } from './webhook-receiver.ts';

const CHALLENGES = '/account/mfa/challenges';
const TOTP = '/account/mfa/authenticators/totp';
const CODES = '/account/mfa/recovery-codes';
const MORE = 'More factors are required to complete the sign in process.';
const OWED = error(401, 'user_more_factors_required', MORE);
const BAD_CODE = error(401, 'user_invalid_token');
const NO_APP = error(404, 'user_authenticator_not_found');
const STALE = error(401, 'user_challenge_required');
const HAS_CODES = error(409, 'user_recovery_codes_already_exists');
const NONE = { totp: false, phone: false, email: false, recoveryCode: false };

const verify = (id: string, where = server()) =>
  keyOf(where).http.patch(`/users/${id}/verification`, { emailVerification: true }).is(200);
const wrongFor = (code: string): string => (code === '000000' ? '000001' : '000000');
const turn = (by: Http, mfa: unknown): Answer => by.patch('/account/mfa', { mfa });

async function appOf(who: Person): Promise<App> {
  const app = new App((await who.http.post(TOTP).json<Models.MfaType>()).secret);
  await who.http.put(TOTP, { otp: app.now() }).is(200);
  return app;
}

const challenge = async (by: Http, factor: string): Promise<string> =>
  (await by.post(CHALLENGES, { factor }).json<Models.MfaChallenge>(201)).$id;
const prove = async (by: Http, app: App) =>
  by.put(CHALLENGES, { challengeId: await challenge(by, 'totp'), otp: await app.code() }).is(200);
const codesOf = async (answer: Promise<Models.MfaRecoveryCodes>) => (await answer).recoveryCodes;
const current = (by: Http) => by.get('/account/sessions/current').json<Models.Session>();

test('M01 second factors can be turned on, and are owed once one exists', async ({ ann, bob, guest, key }) => {
  expect(await ann.http.get('/account/mfa/factors').json()).toEqual(NONE);
  expect(await turn(ann.http, true).json()).toMatchObject({ $id: ann.id, mfa: true });
  for (const who of [ann, await anotherSession(ann)]) await who.http.get('/account').is(200);
  await verify(ann.id);
  const fresh = await anotherSession(ann);
  await refused(OWED, fresh.http.get('/account'));
  expect(await fresh.http.get('/account/mfa/factors').json()).toEqual({ ...NONE, email: true });
  await refused(MISSING_SCOPE, turn(guest.http, true), turn(key.http, true));
  await refused(INVALID, turn(bob.http, 'maybe'), bob.http.patch('/account/mfa', {}));
});

test('M02 an authenticator is scanned, and verified by a code', async ({ ann: { id, email, http } }) => {
  const scan = () => http.post(TOTP).json<Models.MfaType>();
  const put = (otp: string) => http.put(TOTP, { otp });
  await refused(NO_APP, put('123456'));
  const [first, { secret, uri }] = [await scan(), await scan()];
  expect(secret).not.toBe(first.secret);
  expect(secret).toMatch(/^[A-Z2-7]{103}$/);
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host, searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret]);
  expect(decodeURIComponent(pathname).endsWith(`:${email}`)).toBe(true);
  expect(searchParams.get('issuer')).toBeTruthy();
  const app = new App(secret);
  await refused(BAD_CODE, put(wrongFor(app.now())), put(new App(first.secret).now()));
  expect(await put(app.now()).json()).toMatchObject({ $id: id });
  await refused(error(409, 'user_authenticator_already_verified'), put(app.now()), http.post(TOTP));
  expect((await current(http)).factors).toEqual(['server', 'totp']);
  await refused(INVALID, http.post('/account/mfa/authenticators/sms'));
});

test('M06 recovery codes are made once, and read or renewed soon after a challenge', async ({ ann }) => {
  const { http } = ann;
  const app = await appOf(ann);
  const made = await codesOf(http.post(CODES).json<Models.MfaRecoveryCodes>(201));
  expect(made).toEqual(Array(6).fill(expect.stringMatching(/^[0-9a-f]{10}$/)));
  await refused(HAS_CODES, http.post(CODES));
  await refused(STALE, http.get(CODES), http.patch(CODES), http.delete(TOTP));
  await prove(http, app);
  expect(await http.get(CODES).json()).toEqual({ recoveryCodes: made });
  const renewed = await codesOf(http.patch(CODES).json<Models.MfaRecoveryCodes>());
  expect(renewed).toHaveLength(6);
  expect(renewed).not.toEqual(made);
  await refused(STALE, (await anotherSession(ann)).http.get(CODES));
});

test('M07 a recovery code is a factor, once', async ({ ann }) => {
  await appOf(ann);
  const [first = '', second = '', ...rest] = await codesOf(ann.http.post(CODES).json<Models.MfaRecoveryCodes>(201));
  await turn(ann.http, true).is(200);
  const { http } = await anotherSession(ann);
  const meet = async (factor: string, otp: string) =>
    http.put(CHALLENGES, { challengeId: await challenge(http, factor), otp });
  await refused(BAD_CODE, meet('recoveryCode', '0000000000'));
  expect((await meet('recoveryCode', first)).is(200).json()).toMatchObject({ factors: ['server', 'recoveryCode'] });
  await http.get('/account').is(200);
  await refused(BAD_CODE, meet('recoveryCode', first));
  if (server().embedded) (await meet('recoverycode', second)).is(200);
  expect(await http.get(CODES).json()).toEqual({ recoveryCodes: server().embedded ? rest : [second, ...rest] });
});

test('M08 an authenticator goes after a fresh challenge; then nothing is owed', async ({ ann }) => {
  const { http } = ann;
  const app = await appOf(ann);
  const other = await anotherSession(ann);
  for (const on of [true, false, true]) {
    await turn(http, on).is(200);
    await other.http.get('/account').is(on ? 401 : 200);
  }
  await refused(OWED, other.http.get('/account'));
  await refused(STALE, http.delete(TOTP));
  await prove(http, app);
  await http.delete(TOTP).is(204);
  await refused(NO_APP, http.delete(TOTP));
  await other.http.get('/account').is(200);
});

test('M11 unknown factors, guests and phones are refused', async ({ ann, guest: { http } }) => {
  const message = 'Invalid `factor` param: Value must be one of (email, phone, totp, recoverycode)';
  for (const path of [CHALLENGES, '/account/mfa/challenge']) {
    await ann.http.post(path, { factor: 'totp' }).is(201);
    await refused({ ...INVALID, message }, ann.http.post(path, { factor: 'face' }));
    await refused(INVALID, ann.http.post(path, {}), ann.http.put(path, {}));
    await refused(MISSING_SCOPE, http.post(path, { factor: 'totp' }), http.put(path, { challengeId: 'x', otp: 'y' }));
    await refused([error(503), error(400)], ann.http.post(path, { factor: 'phone' }));
  }
  await refused(MISSING_SCOPE, http.get('/account/mfa/factors'), http.post(TOTP), http.post(CODES));
});

test('M12 a key sees to a user’s factors', async ({ ann, key: { http, node } }) => {
  const app = await appOf(ann);
  const path = `/users/${ann.id}/mfa`;
  const codes = `${path}/recovery-codes`;
  expect(await http.get(`${path}/factors`).json()).toEqual({ ...NONE, totp: true });
  await refused(error(404, 'user_recovery_codes_not_found'), http.get(codes), http.put(codes));
  const made = await http.patch(codes).json<Models.MfaRecoveryCodes>();
  expect(made.recoveryCodes).toHaveLength(6);
  await refused(HAS_CODES, http.patch(codes));
  expect(await node.users.getMFARecoveryCodes({ userId: ann.id })).toEqual(made);
  expect(await http.put(codes).json()).not.toEqual(made);
  expect(await node.users.updateMFA({ userId: ann.id, mfa: true })).toMatchObject({ mfa: true });
  expect(await http.get(`/users/${ann.id}`).json()).toMatchObject({ mfa: true });
  await http.delete(`${path}/authenticators/totp`).is(204);
  expect(await http.get(`${path}/factors`).json()).toEqual(NONE);
  await refused(NO_APP, http.delete(`${path}/authenticators/totp`), ann.http.put(TOTP, { otp: app.now() }));
  await refused(NO_USER, http.get('/users/nobody/mfa/factors'));
  await refused(MISSING_SCOPE, ann.http.get(`${path}/factors`));
});

test('M14 a membership tells of second factors where there is one', async ({ ann, bob, key }) => {
  const team = await teamOf(bob);
  const path = team.membership((await joined(team, ann)).$id);
  const tells = async (mfa: boolean) => expect(await key.http.get(path).json()).toMatchObject({ mfa });
  await turn(ann.http, true).is(200);
  await tells(false);
  await appOf(ann);
  await tells(true);
  await turn(ann.http, false).is(200);
  await tells(false);
});

test('M03 a session that owes a factor may do nothing but prove it, or end', async ({ pub }) => {
  const who = await account();
  const { email, password } = who;
  const u = await signIn(who);
  await appOf(u);
  await turn(u.http, true).is(200);
  const login = await logIn(email, password).is(201);
  expect(login.json()).toMatchObject({ factors: ['password'] });
  const own = signedIn(login);
  await refused(
    OWED,
    ...['', '/prefs', '/sessions'].map((part) => own.get(`/account${part}`)),
    ...['/teams', pub.documents, '/storage/buckets/any/files', '/ping'].map((path) => own.get(path)),
    own.patch('/account/name', { name: 'x' }),
    turn(own, false),
    own.post('/account/jwts'),
    own.post(TOTP),
    own.post(pub.documents, { documentId: 'unique()', data: { title: 'x' } }),
    own.post('/account/sessions/email', { email, password }),
    own.post('/account/recovery', { email, url: 'http://localhost' }),
  );
  expect(await own.get('/account/mfa/factors').json()).toMatchObject({ totp: true });
  await challenge(own, 'totp');
  await own.delete('/account/sessions/current').is(204);
});

test('M04 the authenticator’s code proves the factor, once', async ({ ann, bob }) => {
  const app = await appOf(ann);
  await turn(ann.http, true).is(200);
  const other = await anotherSession(ann);
  const { $id, ...made } = await other.http.post(CHALLENGES, { factor: 'totp' }).json<Models.MfaChallenge>(201);
  expect(made).toEqual({ $createdAt: DATE, userId: ann.id, expire: DATE });
  const code = await app.code();
  const put = (challengeId: string, otp: string, by = other.http) => by.put(CHALLENGES, { challengeId, otp });
  await refused(BAD_CODE, put($id, wrongFor(code)), put('unknown', code), put($id, code, bob.http));
  expect(await put($id, code).json()).toMatchObject({ $id: other.sessionId, factors: ['server', 'totp'] });
  expect(Date.now() - Date.parse((await current(other.http)).mfaUpdatedAt)).toBeLessThan(600_000);
  await refused(BAD_CODE, put($id, code));
  if (server().embedded) await refused(BAD_CODE, put(await challenge(other.http, 'totp'), code));
});

test('M05 a mailed code proves the factor', async ({ mailing }) => {
  const { id, email, http } = await person(mailing);
  const unverified = error(400, 'user_email_not_verified', 'User email is not verified');
  await refused(unverified, http.post(CHALLENGES, { factor: 'email' }));
  await verify(id, mailing);
  await keyOf(mailing).http.patch(`/users/${id}/mfa`, { mfa: true }).is(200);
  await refused(OWED, http.get('/account'));
  const challengeId = await challenge(http, 'email');
  const code = codeOf(await mailTo(email));
  const put = (otp: string) => http.put(CHALLENGES, { challengeId, otp });
  await refused(BAD_CODE, put(wrongFor(code)));
  expect(await put(code).json()).toMatchObject({ factors: ['server', 'email'] });
  await http.get('/account').is(200);
  await refused(BAD_CODE, put(code));
});

test('M09 sessions of keys and tokens owe it too; a key frees them', async ({ ann, key: { http } }) => {
  const force = (mfa: boolean) => http.patch(`/users/${ann.id}/mfa`, { mfa }).is(200);
  await verify(ann.id);
  await force(true);
  const { secret } = await http.post(`/users/${ann.id}/tokens`).json<Models.Token>(201);
  const login = await guestOf().http.post('/account/sessions/token', { userId: ann.id, secret }).is(201);
  expect(login.json()).toMatchObject({ factors: ['token'] });
  const callers = [signedIn(login), (await anotherSession(ann)).http, ann.http];
  await refused(OWED, ...callers.map((by) => by.get('/account')));
  await force(false);
  for (const by of callers) await by.get('/account').is(200);
});

test('M10 whoever turns it on is not locked out; other sessions are', async () => {
  const u = await signIn(await account());
  const other = await anotherSession(u);
  await verify(u.id);
  await turn(u.http, true).is(200);
  expect((await current(u.http)).factors).toEqual(['password', 'email']);
  await refused(OWED, other.http.get('/account'));
});

test('M15 both SDKs go the whole way', async () => {
  const type = AuthenticatorType.Totp;
  for (const release of [27, 28] as const) {
    const who = await account();
    const enter = async () => browser(server(), { session: (await signIn(who)).session, release }).account;
    const first = await enter();
    const { secret } = await first.createMFAAuthenticator({ type });
    const app = new App(secret);
    await first.updateMFAAuthenticator({ type, otp: app.now() });
    const { recoveryCodes } = await first.createMFARecoveryCodes();
    expect(await first.updateMFA({ mfa: true })).toMatchObject({ mfa: true });
    expect(await first.listMFAFactors()).toEqual({ ...NONE, totp: true, recoveryCode: true });
    const next = await enter();
    await refused(OWED, next.get());
    const { $id: challengeId } = await next.createMFAChallenge({ factor: AuthenticationFactor.Totp });
    const { factors } = await next.updateMFAChallenge({ challengeId, otp: await app.code() });
    expect(factors).toEqual(['password', 'totp']);
    expect(await next.get()).toMatchObject({ $id: who.id, mfa: true });
    expect(await next.getMFARecoveryCodes()).toEqual({ recoveryCodes });
    expect((await next.updateMFARecoveryCodes()).recoveryCodes).toHaveLength(6);
    await next.deleteMFAAuthenticator({ type });
    expect(await next.updateMFA({ mfa: false })).toMatchObject({ mfa: false });
  }
});

test('M13 webhooks hear of factors, challenges, labels, status and sessions', async ({ ann, key: { http }, skip }) => {
  const { sessionId } = await anotherSession(ann);
  const target = await hook(skip, ['users.*']);
  const user = `users.${ann.id}`;
  await turn(ann.http, true).is(200);
  const names = [`${user}.update`, `${user}.update.mfa`, 'users.*.update.mfa', user, 'users.*'];
  const turned = { payload: { $id: ann.id, mfa: true }, user: ann.id, names: expect.arrayContaining(names) };
  expect(await target.next()).toMatchObject(turned);
  const id = await challenge(ann.http, 'totp');
  const asked = await target.next();
  expect([asked.names[0], asked.names.length]).toEqual([`${user}.challenges.${id}.create`, 10]);
  expect(asked).toMatchObject({ payload: { $id: id, userId: ann.id }, user: ann.id });
  await http.put(`/users/${ann.id}/labels`, { labels: ['vip'] }).is(200);
  expect((await target.next()).names).toContain(`${user}.update.labels`);
  await http.patch(`/users/${ann.id}/status`, { status: false }).is(200);
  const blocked = { payload: { status: false }, user: '', names: expect.arrayContaining([`${user}.update.status`]) };
  expect(await target.next()).toMatchObject(blocked);
  await http.delete(`/users/${ann.id}/sessions/${sessionId}`).is(204);
  expect((await target.next()).names[0]).toBe(`${user}.sessions.${sessionId}.delete`);
  await http.delete(`/users/${ann.id}`).is(204);
  const { names: gone, payload } = await target.next();
  expect([gone[0], payload.$id]).toEqual([`${user}.delete`, ann.id]);
});
