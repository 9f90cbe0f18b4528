import { beforeEach, expect, it, vi } from 'vitest';
import { useMailingBackend } from '../../../tests/support/use-backend.ts';
import { codeOf, stepAt } from '../../mfa/totp.ts';

const NOON = Date.parse('2026-11-27T12:00:00Z');
const [HOUR, DAY] = [3_600_000, 86_400_000];
const PASSWORD = 'correct horse';
const URL_OF_PAGE = 'http://localhost/';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(NOON);
  return () => void vi.useRealTimers();
});
const { server, mail } = useMailingBackend({ rateLimits: true, trustedProxies: ['loopback'] }, { each: true });
const addressOf = (place: number) => `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
const ask = (place: number, method: string, path: string, body: object, cookies?: string) =>
  server.request(method, path, { headers: { 'x-forwarded-for': addressOf(place) }, body, cookies });

async function person(email: string) {
  const body = { userId: 'unique()', email, password: PASSWORD, name: 'Ann' };
  return String((await server.request('POST', '/users', { asKey: true, body })).body.$id);
}

const counted = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]));

const link = { secret: 'x'.repeat(64) };
it.each([
  ['POST', '/account/sessions/token', link],
  ['POST', '/account/sessions/token', { secret: '123456' }],
  ['PUT', '/account/sessions/magic-url', link],
  ['PUT', '/account/sessions/phone', link],
  ['PUT', '/account/recovery', { ...link, password: PASSWORD }],
  ['PUT', '/account/verifications/email', link],
  ['PUT', '/account/verification', link],
  ['PATCH', '/teams/crew/memberships/:id/status', link],
])('invented ids count for their network: %s %s', async (method, path, proof) => {
  const at = async (place: number, id: string) =>
    (await ask(place, method, path.replace(':id', id), { userId: id, ...proof })).status;
  for (let i = 0; i < 60; i++) expect([401, 404]).toContain(await at(1, `invented${i}`));
  expect(await at(1, 'invented60')).toBe(429);
  expect([401, 404]).toContain(await at(2, 'invented61'));
});

it('invented ids count for the network that asks whether a challenge is met', async () => {
  const { cookies } = await server.signUp('ann@example.com');
  const prove = (i: number) =>
    ask(1, 'PUT', '/account/mfa/challenges', { challengeId: `invented${i}`, otp: 'abcdefghij' }, cookies);
  for (let i = 0; i < 60; i++) expect((await prove(i)).status).toBe(401);
  expect((await prove(60)).status).toBe(429);
});

it('invented ids count once for all routes that take a secret', async () => {
  for (let i = 0; i < 30; i++) {
    await ask(1, 'PUT', '/account/recovery', { userId: `a${i}`, ...link, password: PASSWORD });
    await ask(1, 'POST', '/account/sessions/token', { userId: `b${i}`, ...link });
  }
  expect((await ask(1, 'PUT', '/account/verifications/email', { userId: 'c', ...link })).status).toBe(429);
});

const wrong = (place: number, userId: string, code = '000000') =>
  ask(place, 'POST', '/account/sessions/token', { userId, secret: code });

it('a code that signs in is looked at for twenty of four hundred guesses that come at once from as many addresses', async () => {
  const userId = await person('ann@example.com');
  const guesses = await Promise.all(Array.from({ length: 400 }, (_, i) => wrong(i, userId)));
  expect(counted(guesses.map(({ status }) => status))).toEqual({ 401: 20, 429: 380 });
});

it('a code that signs in is off after twenty wrong ones in a day, while links and the password go on', async () => {
  const email = 'ann@example.com';
  const userId = await person(email);
  // Verifies the address in advance, because the first proof of an unverified address removes the password.
  await server.request('PATCH', `/users/${userId}/verification`, { asKey: true, body: { emailVerification: true } });
  await ask(1, 'POST', '/account/tokens/magic-url', { userId: 'unique()', email, url: URL_OF_PAGE });
  const link = await mail.linkTo(email);
  await ask(1, 'POST', '/account/tokens/email', { userId: 'unique()', email });
  const code = await mail.codeTo(email);
  const other = code === '000000' ? '000001' : '000000';
  for (let i = 0; i < 20; i++) expect((await wrong(100 + i, userId, other)).status).toBe(401);

  const message = expect.stringMatching(/^Too many wrong codes were tried/);
  const stopped = { status: 429, body: { type: 'general_rate_limit_exceeded', message } };
  expect(await wrong(1, userId, code)).toMatchObject(stopped);
  expect(await ask(1, 'POST', '/account/tokens/email', { userId: 'unique()', email })).toMatchObject(stopped);
  const byLink = { userId: link.get('userId'), secret: link.get('secret') };
  expect(await ask(1, 'PUT', '/account/sessions/magic-url', byLink)).toMatchObject({ status: 201 });
  const byPassword = { email, password: PASSWORD };
  expect(await ask(1, 'POST', '/account/sessions/email', byPassword)).toMatchObject({ status: 201 });

  vi.setSystemTime(NOON + DAY);
  await ask(1, 'POST', '/account/tokens/email', { userId: 'unique()', email });
  const next = await mail.codeTo(email);
  expect(await wrong(1, userId, next)).toMatchObject({ status: 201 });
});

it('a code that signs in leaves other accounts alone, and right codes use up nothing', async () => {
  const [ann, bob] = [await person('ann@example.com'), await person('bob@example.com')];
  for (let i = 0; i < 20; i++) await wrong(i, ann);
  for (let i = 0; i < 25; i++) {
    const body = { expire: 3600, length: 6 };
    const { secret } = (await server.request('POST', `/users/${bob}/tokens`, { asKey: true, body })).body;
    expect((await wrong(100 + i, bob, String(secret))).status).toBe(201);
  }
});

it('a second factor is off after twenty wrong codes in a day, while recovery codes go on', async () => {
  const { userId, cookies } = await server.signUp('ann@example.com');
  const path = '/account/mfa/authenticators/totp';
  const secret = String((await ask(1, 'POST', path, {}, cookies)).body.secret);
  await ask(1, 'PUT', path, { otp: codeOf(secret, stepAt(Date.now())) }, cookies);
  const codes = (await ask(1, 'POST', '/account/mfa/recovery-codes', {}, cookies)).body.recoveryCodes as string[];
  const challenge = async (factor: string) =>
    String((await ask(1, 'POST', '/account/mfa/challenges', { factor }, cookies)).body.$id);
  const prove = (place: number, challengeId: string, otp: string) =>
    ask(place, 'PUT', '/account/mfa/challenges', { challengeId, otp }, cookies);
  const wrong = codeOf(secret, stepAt(Date.now()) + 100);
  for (const id of [await challenge('totp'), await challenge('totp')]) {
    for (let i = 0; i < 10; i++) expect((await prove(i, id, wrong)).status).toBe(401);
  }
  vi.setSystemTime(NOON + 60_000);
  const right = codeOf(secret, stepAt(Date.now()));
  const stopped = { status: 429, body: { message: expect.stringContaining('Use a recovery code') } };
  expect(await prove(1, await challenge('totp'), right)).toMatchObject(stopped);
  expect(await prove(1, await challenge('recoveryCode'), codes[0] ?? '')).toMatchObject({ status: 200 });
  vi.setSystemTime(NOON + DAY);
  const tomorrow = codeOf(secret, stepAt(Date.now()));
  expect(await prove(1, await challenge('totp'), tomorrow)).toMatchObject({ status: 200, body: { userId } });
});

it('a network learns of at most twenty addresses a day whether they have an account', async () => {
  await person('ann@example.com');
  const probe = (place: number, email: string) => ask(place, 'POST', '/account/recovery', { email, url: URL_OF_PAGE });
  const statuses: number[] = [];
  for (let hour = 0; hour < 3; hour++) {
    vi.setSystemTime(NOON + hour * HOUR);
    for (let i = 0; i < 10; i++) statuses.push((await probe(1, `nobody${hour}-${i}@example.com`)).status);
  }
  expect(counted(statuses)).toEqual({ 404: 20, 429: 10 });
  // Beyond the limit, the response does not reveal whether an account exists.
  expect((await probe(1, 'ann@example.com')).status).toBe(429);
  const signUp = { userId: 'unique()', email: 'ann@example.com', password: PASSWORD };
  expect((await ask(1, 'POST', '/account', signUp)).status).toBe(429);
  expect((await probe(2, 'ann@example.com')).status).toBe(201);
});

it('a session allows ten guesses of its password in an hour, from all addresses together', async () => {
  const { cookies } = await server.signUp('ann@example.com');
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) {
    const body = { password: 'another horse', oldPassword: `guess ${i}` };
    statuses.push((await ask(i, 'PATCH', '/account/password', body, cookies)).status);
  }
  expect(counted(statuses)).toEqual({ 401: 10, 429: 1 });
});
