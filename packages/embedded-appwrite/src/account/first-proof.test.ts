/** Someone who signed up with another person's address loses access once that person first verifies the address. */
import { expect, test } from 'vitest';
import { useMailingBackend } from '../../tests/support/use-backend.ts';
import { codeOf, stepAt } from '../mfa/totp.ts';

const URL_OF_PAGE = 'http://localhost/welcome';
const STRANGERS = 'correct horse';
const TOTP = '/account/mfa/authenticators/totp';
const chosen = { password: 'the person’s own' };
const { server, mail } = useMailingBackend();
let count = 0;

/** Signs an attacker up with a victim's address, and adds an authenticator, recovery codes and a sign-in token. */
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

async function acceptInvitation({ email, userId }: Account, session: { cookies?: string } = {}) {
  const owner = await server.signUp(`owner${++count}@example.com`);
  const teamId = `team${count}`;
  await server.request('POST', '/teams', { ...owner, body: { teamId, name: 'Site' } });
  const body = { email, roles: ['owner'], url: URL_OF_PAGE };
  await server.request('POST', `/teams/${teamId}/memberships`, { ...owner, body });
  const link = await mail.linkTo(email);
  const path = `/teams/${teamId}/memberships/${link.get('membershipId')}/status`;
  return server.request('PATCH', path, { ...session, body: { userId, secret: link.get('secret') } });
}

/** The ways to prove an email address. Each returns the session cookies if it signs the user in, otherwise ''. */
const PROOFS: Record<string, (account: Account) => Promise<string>> = {
  invitation: async (account) => (await acceptInvitation(account)).cookies,
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
    const body = { userId, secret: (await mail.linkTo(email)).get('secret'), ...chosen };
    await server.request('PUT', '/account/recovery', { body });
    return '';
  },
};

const login = async ({ email }: Account) =>
  (await server.request('POST', '/account/sessions/email', { body: { email, password: STRANGERS } })).status;

test.each(Object.entries(PROOFS))('the first proof of an address, by %s, ends access from before', async (_, prove) => {
  const account = await strangersAccount();
  const cookies = await prove(account);
  expect(await server.request('GET', '/account', account)).toMatchObject({ status: 401 });
  expect(await login(account)).toBe(401);
  const link = { userId: account.userId, secret: account.token };
  expect(await server.request('POST', '/account/sessions/token', { body: link })).toMatchObject({ status: 401 });
  const factors = await server.request('GET', `/users/${account.userId}/mfa/factors`, { asKey: true });
  expect(factors.body).toEqual({ totp: false, phone: false, email: true, recoveryCode: false });
  const { body } = await server.request('GET', `/users/${account.userId}`, { asKey: true });
  expect(body).toMatchObject({ emailVerification: true, mfa: false });
  if (cookies === '') return;
  expect(await server.request('GET', '/account', { cookies })).toMatchObject({ status: 200 });
  expect(await server.request('PATCH', '/account/password', { cookies, body: chosen })).toMatchObject({ status: 200 });
});

const SIGN_INS = Object.entries(PROOFS).filter(([kind]) => kind !== 'recovery');
test.each(SIGN_INS)('a later proof, by %s, leaves the person’s sessions, password and factors', async (_, prove) => {
  const account = await strangersAccount();
  const verified = { asKey: true, body: { emailVerification: true } };
  await server.request('PATCH', `/users/${account.userId}/verification`, verified);
  await prove(account);
  expect(await server.request('GET', '/account', account)).toMatchObject({ status: 200, body: { mfa: true } });
  expect(await login(account)).toBe(201);
});

test('an invitation accepted within a session leaves that session alone', async () => {
  const account = await strangersAccount();
  const other = await server.request('POST', `/users/${account.userId}/sessions`, { asKey: true });
  expect(await acceptInvitation(account, account)).toMatchObject({ status: 200 });
  expect(await server.request('GET', '/account', account)).toMatchObject({ status: 200 });
  const session = String(other.body.secret);
  expect(await server.request('GET', '/account', { session })).toMatchObject({ status: 401 });
});
