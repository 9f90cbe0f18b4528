import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';
import { openSocket } from '../../tests/support/realtime.ts';
import { codeOf, stepAt } from './totp.ts';

const MINUTE = 60_000;
const PASSWORD = 'correct horse';
const SIGNED_OUT = 4401;

let server: TestBackend;
let mail: TestMailServer;
beforeEach(async () => {
  mail = await startMailServer();
  server = await startTestBackend({
    mail: mail.options,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
  await mail.stop();
});

const code = () => mail.codeTo('ann@example.com');

function later(milliseconds: number): void {
  const moment = Date.now() + milliseconds;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(moment);
}

/** Creates a user who signed in before turning on e-mail as a second factor. */
async function cautious(email: string): Promise<{ userId: string; cookies: string }> {
  const user = await server.signUp(email);
  const path = `/users/${user.userId}`;
  await server.request('PATCH', `${path}/verification`, { asKey: true, body: { emailVerification: true } });
  await server.request('PATCH', '/account/mfa', { ...user, body: { mfa: true } });
  return user;
}

async function signIn(email: string): Promise<{ cookies: string }> {
  const { cookies } = await server.request('POST', '/account/sessions/email', { body: { email, password: PASSWORD } });
  return { cookies };
}

const ask = (who: { cookies: string }, factor: string) =>
  server.request('POST', '/account/mfa/challenges', { ...who, body: { factor } });
const prove = (who: { cookies: string }, challengeId: unknown, otp: string | undefined) =>
  server.request('PUT', '/account/mfa/challenges', { ...who, body: { challengeId, otp } });

describe('a mailed code', () => {
  it('is good for fifteen minutes, in the session that asked or in another', async () => {
    await cautious('ann@example.com');
    const [first, second] = [await signIn('ann@example.com'), await signIn('ann@example.com')];
    const { body } = await ask(first, 'email');
    const early = await code();
    const late = (await ask(first, 'email')).body;
    const other = await code();
    expect(await prove(second, late.$id, early)).toMatchObject({ status: 401 });
    later(14 * MINUTE);
    expect(await prove(second, body.$id, early)).toMatchObject({ status: 200, body: { current: true } });
    later(2 * MINUTE);
    expect(await prove(first, late.$id, other)).toMatchObject({ status: 401 });
  });
});

describe('where an authenticator is set', () => {
  const totp = '/account/mfa/authenticators/totp';

  async function withApp(): Promise<{ userId: string; secret: string; cookies: string }> {
    const user = await cautious('ann@example.com');
    const secret = String((await server.request('POST', totp, user)).body.secret);
    await server.request('PUT', totp, { ...user, body: { otp: codeOf(secret, stepAt(Date.now())) } });
    return { ...user, secret };
  }

  async function byMailbox(): Promise<{ userId: string; cookies: string }> {
    const body = { userId: 'unique()', email: 'ann@example.com' };
    const { userId } = (await server.request('POST', '/account/tokens/email', { body })).body as { userId: string };
    const { cookies } = await server.request('POST', '/account/sessions/token', {
      body: { userId, secret: await code() },
    });
    return { userId, cookies };
  }

  it('no code by mail is sent as a second factor, whatever the first was', async () => {
    await withApp();
    for (const session of [await byMailbox(), await signIn('ann@example.com')]) {
      expect(await ask(session, 'email')).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
      const { body } = await server.request('GET', '/account/mfa/factors', session);
      expect(body).toMatchObject({ totp: true, email: false });
      expect(await server.request('GET', '/account', session)).toMatchObject({ status: 401 });
    }
  });

  it('a code that was mailed before does not count', async () => {
    const user = await cautious('ann@example.com');
    const mailbox = await byMailbox();
    const { body } = await ask(mailbox, 'email');
    const otp = await code();
    const secret = String((await server.request('POST', totp, user)).body.secret);
    await server.request('PUT', totp, { ...user, body: { otp: codeOf(secret, stepAt(Date.now())) } });
    expect(await prove(mailbox, body.$id, otp)).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } });
    expect(await server.request('GET', '/account', mailbox)).toMatchObject({ status: 401 });
  });
});

it('a challenge counts as fresh for five minutes', async () => {
  await cautious('ann@example.com');
  const session = await signIn('ann@example.com');
  const { body } = await ask(session, 'email');
  await prove(session, body.$id, await code());
  const codes = '/account/mfa/recovery-codes';
  const made = (await server.request('POST', codes, session)).body;
  later(4 * MINUTE);
  expect(await server.request('GET', codes, session)).toMatchObject({ status: 200, body: made });
  later(2 * MINUTE);
  const stale = { status: 401, body: { type: 'user_challenge_required' } };
  expect(await server.request('GET', codes, session)).toMatchObject(stale);
  expect(await server.request('PATCH', codes, session)).toMatchObject(stale);
});

describe('a socket of a session that owes a factor', () => {
  it('is a guest’s, until the factor is proved', async () => {
    await cautious('ann@example.com');
    const { cookies } = await signIn('ann@example.com');
    const owing = openSocket(server.origin, { headers: { cookie: cookies } });
    expect((await owing.next()).data.user).toBeNull();
    owing.close();
    const { body } = await ask({ cookies }, 'email');
    await prove({ cookies }, body.$id, await code());
    const proved = openSocket(server.origin, { headers: { cookie: cookies } });
    expect((await proved.next()).data.user).toMatchObject({ email: 'ann@example.com', mfa: true });
    proved.close();
  });

  it('is closed when another session turns second factors on', async () => {
    const user = await server.signUp('ann@example.com');
    const path = `/users/${user.userId}/verification`;
    await server.request('PATCH', path, { asKey: true, body: { emailVerification: true } });
    const other = await signIn('ann@example.com');
    const sockets = [user, other].map(({ cookies }) => openSocket(server.origin, { headers: { cookie: cookies } }));
    for (const socket of sockets) expect((await socket.next()).data.user.$id).toBe(user.userId);
    await server.request('PATCH', '/account/mfa', { ...user, body: { mfa: true } });
    expect(await sockets[1]?.closed).toBe(SIGNED_OUT);
    expect(await sockets[0]?.rest()).toEqual([]);
    sockets[0]?.close();
  });
});
