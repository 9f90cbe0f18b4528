/** A stranger signs up with an address; the first proof by its real user ends the stranger's access. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';
import { codeOf, stepAt } from '../mfa/totp.ts';

const URL_OF_PAGE = 'http://localhost/welcome';
const STRANGERS = 'correct horse';
const TOTP = '/account/mfa/authenticators/totp';

let mail: TestMailServer;
let server: TestBackend;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestBackend({ mail: mail.options });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});

let count = 0;

/** Creates a stranger's account with the address: session, password, authenticator, recovery codes, pending code. */
async function strangersAccount() {
  const email = `victim${++count}@example.com`;
  const { userId, cookies } = await server.signUp(email, STRANGERS);
  const secret = String((await server.request('POST', TOTP, { cookies })).body.secret);
  await server.request('PUT', TOTP, { cookies, body: { otp: codeOf(secret, stepAt(Date.now())) } });
  await server.request('POST', '/account/mfa/recovery-codes', { cookies });
  await server.request('PATCH', '/account/mfa', { cookies, body: { mfa: true } });
  const { body } = await server.request('POST', `/users/${userId}/tokens`, { asKey: true, body: { length: 32 } });
  return { email, userId, cookies, token: String(body.secret) };
}

type Account = Awaited<ReturnType<typeof strangersAccount>>;

/** Returns the cookies of the person who proved the address, if the proof signs in. */
const PROOFS: Record<string, (account: Account) => Promise<string>> = {
  async invitation({ email }) {
    const owner = await server.signUp(`owner${++count}@example.com`);
    const teamId = `team${count}`;
    await server.request('POST', '/teams', { ...owner, body: { teamId, name: 'Site' } });
    const body = { email, roles: ['owner'], url: URL_OF_PAGE };
    await server.request('POST', `/teams/${teamId}/memberships`, { ...owner, body });
    const link = await mail.linkTo(email);
    const path = `/teams/${teamId}/memberships/${link.get('membershipId')}/status`;
    const accepted = { userId: link.get('userId'), secret: link.get('secret') };
    return (await server.request('PATCH', path, { body: accepted })).cookies;
  },
  async 'code by mail'({ email, userId }) {
    await server.request('POST', '/account/tokens/email', { body: { userId, email } });
    const body = { userId, secret: await mail.codeTo(email) };
    return (await server.request('POST', '/account/sessions/token', { body })).cookies;
  },
  async 'magic link'({ email, userId }) {
    await server.request('POST', '/account/tokens/magic-url', { body: { userId, email, url: URL_OF_PAGE } });
    const body = { userId, secret: (await mail.linkTo(email)).get('secret') };
    return (await server.request('PUT', '/account/sessions/magic-url', { body })).cookies;
  },
  async recovery({ email, userId }) {
    await server.request('POST', '/account/recovery', { body: { email, url: URL_OF_PAGE } });
    const body = { userId, secret: (await mail.linkTo(email)).get('secret'), password: 'the person’s own' };
    await server.request('PUT', '/account/recovery', { body });
    return '';
  },
};

test.each(Object.keys(PROOFS))('the first proof of an address, by %s, ends access from before', async (kind) => {
  const account = await strangersAccount();
  const cookies = (await PROOFS[kind]?.(account)) ?? '';
  expect(await server.request('GET', '/account', account)).toMatchObject({ status: 401 });
  const login = { email: account.email, password: STRANGERS };
  expect(await server.request('POST', '/account/sessions/email', { body: login })).toMatchObject({ status: 401 });
  const link = { userId: account.userId, secret: account.token };
  expect(await server.request('POST', '/account/sessions/token', { body: link })).toMatchObject({ status: 401 });
  const factors = await server.request('GET', `/users/${account.userId}/mfa/factors`, { asKey: true });
  expect(factors.body).toEqual({ totp: false, phone: false, email: true, recoveryCode: false });
  const { body } = await server.request('GET', `/users/${account.userId}`, { asKey: true });
  expect(body).toMatchObject({ emailVerification: true, mfa: false });
  if (cookies === '') return;
  expect(await server.request('GET', '/account', { cookies })).toMatchObject({ status: 200 });
  const chosen = { password: 'the person’s own' };
  expect(await server.request('PATCH', '/account/password', { cookies, body: chosen })).toMatchObject({ status: 200 });
});

test.each(Object.keys(PROOFS).filter((kind) => kind !== 'recovery'))(
  'a later proof, by %s, leaves the person’s sessions, password and factors',
  async (kind) => {
    const account = await strangersAccount();
    const verified = { asKey: true, body: { emailVerification: true } };
    await server.request('PATCH', `/users/${account.userId}/verification`, verified);
    await PROOFS[kind]?.(account);
    expect(await server.request('GET', '/account', account)).toMatchObject({ status: 200, body: { mfa: true } });
    const login = { email: account.email, password: STRANGERS };
    expect(await server.request('POST', '/account/sessions/email', { body: login })).toMatchObject({ status: 201 });
  },
);

test('an invitation that is accepted within a session leaves that session alone', async () => {
  const { email, userId, cookies } = await strangersAccount();
  const other = await server.request('POST', `/users/${userId}/sessions`, { asKey: true });
  const teams = await server.signUp(`owner${++count}@example.com`);
  const teamId = `team${count}`;
  await server.request('POST', '/teams', { ...teams, body: { teamId, name: 'Site' } });
  const invitation = { email, roles: ['editor'], url: URL_OF_PAGE };
  await server.request('POST', `/teams/${teamId}/memberships`, { ...teams, body: invitation });
  const link = await mail.linkTo(email);
  const path = `/teams/${teamId}/memberships/${link.get('membershipId')}/status`;
  const body = { userId, secret: link.get('secret') };
  expect(await server.request('PATCH', path, { cookies, body })).toMatchObject({ status: 200 });
  expect(await server.request('GET', '/account', { cookies })).toMatchObject({ status: 200 });
  const headers = { 'x-appwrite-session': String(other.body.secret) };
  expect(await server.request('GET', '/account', { headers })).toMatchObject({ status: 401 });
});
