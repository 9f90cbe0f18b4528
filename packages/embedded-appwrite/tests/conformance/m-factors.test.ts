/** M: authenticators, recovery codes and the rights to them (contract, part 2, 8). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { MISSING_SCOPE, refused } from './expect.ts';
import {
  App,
  anotherSession,
  authenticatorOf,
  BAD_CODE,
  CHALLENGES,
  CODES,
  challenge,
  OWED,
  prove,
  TOTP,
} from './factors.ts';
import { line, server } from './line.ts';
import { admin, guest, person } from './people.ts';
import { joined, teamOf } from './teams.ts';

const NO_APP = { code: 404, type: 'user_authenticator_not_found' };
const VERIFIED = { code: 409, type: 'user_authenticator_already_verified' };
const STALE = { code: 401, type: 'user_challenge_required' };
const NONE = { totp: false, phone: false, email: false, recoveryCode: false };

line('M01', 'second factors can be turned on without any, and are owed once there is one', async () => {
  const u = await person(server());
  const { http } = admin(server());
  expect((await u.http.get('/account/mfa/factors')).is(200).json()).toEqual(NONE);
  const turn = (mfa: unknown, by = u.http) => by.patch('/account/mfa', { mfa });
  expect((await turn(true)).is(200).json()).toMatchObject({ $id: u.id, mfa: true });
  const other = await anotherSession(server(), u);
  (await u.http.get('/account')).is(200);
  (await other.http.get('/account')).is(200);
  (await http.patch(`/users/${u.id}/verification`, { emailVerification: true })).is(200);
  const fresh = await anotherSession(server(), u);
  await refused(OWED, fresh.http.get('/account'));
  expect((await fresh.http.get('/account/mfa/factors')).is(200).json()).toEqual({ ...NONE, email: true });
  await refused(MISSING_SCOPE, turn(true, guest(server()).http), turn(true, http));
  const v = await person(server());
  await refused(
    { code: 400, type: 'general_argument_invalid' },
    turn('maybe', v.http),
    v.http.patch('/account/mfa', {}),
  );
});

line('M02', 'an authenticator is scanned, and verified by a code', async () => {
  const u = await person(server());
  await refused(NO_APP, u.http.put(TOTP, { otp: '123456' }));
  const first = (await u.http.post(TOTP)).is(200).json<Models.MfaType>();
  const { secret, uri } = (await u.http.post(TOTP)).is(200).json<Models.MfaType>();
  expect(secret).not.toBe(first.secret);
  expect(secret).toMatch(/^[A-Z2-7]{103}$/);
  const address = new URL(uri);
  expect(`${address.protocol}//${address.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(address.pathname).endsWith(`:${u.email}`)).toBe(true);
  expect(address.searchParams.get('secret')).toBe(secret);
  expect(address.searchParams.get('issuer')).toBeTruthy();
  const app = new App(secret);
  const wrong = app.now() === '000000' ? '000001' : '000000';
  await refused(BAD_CODE, u.http.put(TOTP, { otp: wrong }), u.http.put(TOTP, { otp: new App(first.secret).now() }));
  expect((await u.http.put(TOTP, { otp: app.now() })).is(200).json()).toMatchObject({ $id: u.id });
  await refused(VERIFIED, u.http.put(TOTP, { otp: app.now() }), u.http.post(TOTP));
  const session = (await u.http.get('/account/sessions/current')).is(200).json<Models.Session>();
  expect(session.factors).toEqual(['server', 'totp']);
  await refused({ code: 400, type: 'general_argument_invalid' }, u.http.post('/account/mfa/authenticators/sms'));
});

line('M06', 'recovery codes are made once, and read or renewed soon after a challenge', async () => {
  const u = await person(server());
  const app = await authenticatorOf(u);
  const made = (await u.http.post(CODES)).is(201).json<Models.MfaRecoveryCodes>();
  expect(made.recoveryCodes).toHaveLength(6);
  for (const code of made.recoveryCodes) expect(code).toMatch(/^[0-9a-f]{10}$/);
  await refused({ code: 409, type: 'user_recovery_codes_already_exists' }, u.http.post(CODES));
  await refused(STALE, u.http.get(CODES), u.http.patch(CODES), u.http.delete(TOTP));
  await prove(u.http, app);
  expect((await u.http.get(CODES)).is(200).json()).toEqual(made);
  const renewed = (await u.http.patch(CODES)).is(200).json<Models.MfaRecoveryCodes>();
  expect(renewed.recoveryCodes).toHaveLength(6);
  expect(renewed).not.toEqual(made);
  const other = await anotherSession(server(), u);
  await refused(STALE, other.http.get(CODES));
});

line('M07', 'a recovery code is a factor, once', async () => {
  const u = await person(server());
  await authenticatorOf(u);
  const { recoveryCodes } = (await u.http.post(CODES)).is(201).json<Models.MfaRecoveryCodes>();
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const [otp = ''] = recoveryCodes;
  const other = await anotherSession(server(), u);
  const meet = async (factor: string, code: string) =>
    other.http.put(CHALLENGES, { challengeId: await challenge(other.http, factor), otp: code });
  await refused(BAD_CODE, meet('recoveryCode', '0000000000'));
  expect((await meet('recoveryCode', otp)).is(200).json()).toMatchObject({ factors: ['server', 'recoveryCode'] });
  (await other.http.get('/account')).is(200);
  await refused(BAD_CODE, meet('recoveryCode', otp));
  if (server().embedded) (await meet('recoverycode', recoveryCodes[1] ?? '')).is(200);
  const left = (await other.http.get(CODES)).is(200).json<Models.MfaRecoveryCodes>().recoveryCodes;
  expect(left).toEqual(recoveryCodes.slice(server().embedded ? 2 : 1));
});

line('M08', 'an authenticator goes after a fresh challenge; then nothing is owed', async () => {
  const u = await person(server());
  const app = await authenticatorOf(u);
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  const other = await anotherSession(server(), u);
  await refused(OWED, other.http.get('/account'));
  (await u.http.patch('/account/mfa', { mfa: false })).is(200);
  (await other.http.get('/account')).is(200);
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  await refused(OWED, other.http.get('/account'));
  await refused(STALE, u.http.delete(TOTP));
  await prove(u.http, app);
  (await u.http.delete(TOTP)).is(204);
  await refused(NO_APP, u.http.delete(TOTP));
  (await other.http.get('/account')).is(200);
});

line('M11', 'unknown factors, guests and phones are refused', async () => {
  const u = await person(server());
  const { http } = guest(server());
  for (const path of [CHALLENGES, '/account/mfa/challenge']) {
    (await u.http.post(path, { factor: 'totp' })).is(201);
    await refused(
      {
        code: 400,
        type: 'general_argument_invalid',
        message: 'Invalid `factor` param: Value must be one of (email, phone, totp, recoverycode)',
      },
      u.http.post(path, { factor: 'face' }),
    );
    await refused({ code: 400, type: 'general_argument_invalid' }, u.http.post(path, {}), u.http.put(path, {}));
    await refused(MISSING_SCOPE, http.post(path, { factor: 'totp' }), http.put(path, { challengeId: 'x', otp: 'y' }));
    await refused([{ code: 503 }, { code: 400 }], u.http.post(path, { factor: 'phone' }));
  }
  await refused(MISSING_SCOPE, http.get('/account/mfa/factors'), http.post(TOTP), http.post(CODES));
});

line('M12', 'a key sees to a user’s factors', async () => {
  const u = await person(server());
  const app = await authenticatorOf(u);
  const { http, node } = admin(server());
  const path = `/users/${u.id}/mfa`;
  const codes = `${path}/recovery-codes`;
  expect((await http.get(`${path}/factors`)).is(200).json()).toEqual({ ...NONE, totp: true });
  const missing = { code: 404, type: 'user_recovery_codes_not_found' };
  await refused(missing, http.get(codes), http.put(codes));
  const made = (await http.patch(codes)).is(200).json<Models.MfaRecoveryCodes>();
  expect(made.recoveryCodes).toHaveLength(6);
  await refused({ code: 409, type: 'user_recovery_codes_already_exists' }, http.patch(codes));
  expect(await node.users.getMFARecoveryCodes({ userId: u.id })).toEqual(made);
  expect((await http.put(codes)).is(200).json()).not.toEqual(made);
  expect(await node.users.updateMFA({ userId: u.id, mfa: true })).toMatchObject({ mfa: true });
  expect((await http.get(`/users/${u.id}`)).is(200).json()).toMatchObject({ mfa: true });
  (await http.delete(`${path}/authenticators/totp`)).is(204);
  await refused(NO_APP, http.delete(`${path}/authenticators/totp`));
  expect((await http.get(`${path}/factors`)).is(200).json()).toEqual(NONE);
  await refused(NO_APP, u.http.put(TOTP, { otp: app.now() }));
  await refused({ code: 404, type: 'user_not_found' }, http.get('/users/nobody/mfa/factors'));
  await refused(MISSING_SCOPE, u.http.get(`${path}/factors`));
});

line('M14', 'a membership tells of second factors where there is one', async () => {
  const u = await person(server());
  const team = await teamOf(server(), await person(server()));
  const { $id } = await joined(server(), team, u);
  const { http } = admin(server());
  const mfa = async () => (await http.get(team.membership($id))).is(200).json<Models.Membership>().mfa;
  (await u.http.patch('/account/mfa', { mfa: true })).is(200);
  expect(await mfa()).toBe(false);
  await authenticatorOf(u);
  expect(await mfa()).toBe(true);
  (await u.http.patch('/account/mfa', { mfa: false })).is(200);
  expect(await mfa()).toBe(false);
});
