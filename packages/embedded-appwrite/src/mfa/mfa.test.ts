import { beforeEach, expect, it, vi } from 'vitest';
import { openSocket } from '../../tests/support/realtime.ts';
import { useMailingBackend } from '../../tests/support/use-backend.ts';
import { codeOf, stepAt } from './totp.ts';

const MINUTE = 60_000;
const EMAIL = 'ann@example.com';
const TOTP = '/account/mfa/authenticators/totp';
const SIGNED_OUT = 4401;
const { server, mail } = useMailingBackend({}, { each: true });
beforeEach(() => () => void vi.useRealTimers());

type Session = { readonly cookies: string };

const code = () => mail.codeTo(EMAIL);
const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

async function verified() {
  const user = await server.signUp(EMAIL);
  const path = `/users/${user.userId}/verification`;
  await server.request('PATCH', path, { asKey: true, body: { emailVerification: true } });
  return user;
}

const turnOn = (user: Session) => server.request('PATCH', '/account/mfa', { ...user, body: { mfa: true } });

/** Creates a user who signed in before turning on email as a second factor. */
async function cautious() {
  const user = await verified();
  await turnOn(user);
  return user;
}

async function addApp(user: Session): Promise<void> {
  const secret = String((await server.request('POST', TOTP, user)).body.secret);
  await server.request('PUT', TOTP, { ...user, body: { otp: codeOf(secret, stepAt(Date.now())) } });
}

async function signIn(): Promise<Session> {
  const body = { email: EMAIL, password: 'correct horse' };
  const { cookies } = await server.request('POST', '/account/sessions/email', { body });
  return { cookies };
}

async function byMailbox(): Promise<Session> {
  const asked = { body: { userId: 'unique()', email: EMAIL } };
  const { body } = await server.request('POST', '/account/tokens/email', asked);
  const proof = { userId: body.userId, secret: await code() };
  const { cookies } = await server.request('POST', '/account/sessions/token', { body: proof });
  return { cookies };
}

const ask = (who: Session, factor: string) =>
  server.request('POST', '/account/mfa/challenges', { ...who, body: { factor } });
const prove = (who: Session, challengeId: unknown, otp: string | undefined) =>
  server.request('PUT', '/account/mfa/challenges', { ...who, body: { challengeId, otp } });

it('takes a mailed code for fifteen minutes, in any session of the user', async () => {
  await cautious();
  const [first, second] = [await signIn(), await signIn()];
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

it('sends no code by mail as a second factor beside an authenticator', async () => {
  await addApp(await cautious());
  for (const session of [await byMailbox(), await signIn()]) {
    expect(await ask(session, 'email')).toMatchObject({ status: 400, body: { type: 'general_bad_request' } });
    const { body } = await server.request('GET', '/account/mfa/factors', session);
    expect(body).toMatchObject({ totp: true, email: false });
    expect(await server.request('GET', '/account', session)).toMatchObject({ status: 401 });
  }
});

it('takes no code that was mailed before an authenticator was added', async () => {
  const user = await cautious();
  const mailbox = await byMailbox();
  const { body } = await ask(mailbox, 'email');
  const otp = await code();
  await addApp(user);
  expect(await prove(mailbox, body.$id, otp)).toMatchObject({ status: 401, body: { type: 'user_invalid_token' } });
  expect(await server.request('GET', '/account', mailbox)).toMatchObject({ status: 401 });
});

it('takes a challenge as fresh for five minutes', async () => {
  await cautious();
  const session = await signIn();
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

const open = ({ cookies }: Session) => openSocket(server.origin, { headers: { cookie: cookies } });

it('a socket of a session that owes a factor is a guest’s until the factor is proved', async () => {
  await cautious();
  const session = await signIn();
  const owing = open(session);
  expect((await owing.next()).data.user).toBeNull();
  owing.close();
  const { body } = await ask(session, 'email');
  await prove(session, body.$id, await code());
  const proved = open(session);
  expect((await proved.next()).data.user).toMatchObject({ email: EMAIL, mfa: true });
  proved.close();
});

it('a socket of a session that owes a factor is closed when another session turns second factors on', async () => {
  const user = await verified();
  const sockets = [user, await signIn()].map(open);
  for (const socket of sockets) expect((await socket.next()).data.user.$id).toBe(user.userId);
  await turnOn(user);
  expect(await sockets[1]?.closed).toBe(SIGNED_OUT);
  expect(await sockets[0]?.rest()).toEqual([]);
  sockets[0]?.close();
});
