import { expect, onTestFinished, test, vi } from 'vitest';
import { backendOfTest, useMailingBackend } from '../../tests/support/use-backend.ts';

const PAGE = 'https://blog.example.com/reset';
const INVALID = { code: 401, type: 'user_invalid_token' };

const { server, mail } = useMailingBackend({ ownOrigins: ['https://blog.example.com'], webOrigins: ['*.example.org'] });
function startLimited() {
  // Freezes the clock, so that the test stays within one rate-limit window.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return backendOfTest({ rateLimits: true, trustedProxies: ['loopback'], mail: mail.options });
}
let count = 0;
const address = (): string => `reader${++count}@example.com`;
const recover = (email: string) => server.request('POST', '/account/recovery', { body: { email, url: PAGE } });
const reset = (proof: { userId: string; secret: string }) =>
  server.request('PUT', '/account/recovery', { body: { ...proof, password: 'another horse' } });

async function linked(email: string) {
  const link = await mail.linkTo(email);
  return { userId: String(link.get('userId')), secret: String(link.get('secret')) };
}

async function recovery(email: string) {
  expect(await recover(email)).toMatchObject({ status: 201 });
  return linked(email);
}

test('a recovery link is dead once another one was used', async () => {
  const email = address();
  await server.signUp(email);
  const [first, second] = [await recovery(email), await recovery(email)];
  expect(await reset(first)).toMatchObject({ status: 200 });
  expect((await reset(second)).body).toMatchObject(INVALID);
});

test('a recovery link is dead once the owner has another address', async () => {
  const email = address();
  const { cookies } = await server.signUp(email);
  const proof = await recovery(email);
  const body = { email: address(), password: 'correct horse' };
  expect(await server.request('PATCH', '/account/email', { cookies, body })).toMatchObject({ status: 200 });
  expect((await reset(proof)).body).toMatchObject(INVALID);
});

test('a new password signs in where it was chosen, though strangers used up the attempts', async () => {
  const limited = await startLimited();
  const email = address();
  const ask = (place: number, method: string, path: string, body: object) =>
    limited.request(method, path, { headers: { 'x-forwarded-for': `10.2.0.${place}` }, body });
  const login = async (place: number, password: string) =>
    (await ask(place, 'POST', '/account/sessions/email', { email, password })).status;
  await limited.request('POST', '/users', { asKey: true, body: { userId: 'ann', email, password: 'correct horse' } });
  for (let i = 0; i < 11; i += 1) await login(1, 'wrong horse');
  expect(await login(2, 'correct horse')).toBe(429);
  await ask(2, 'POST', '/account/recovery', { email, url: 'http://localhost/' });
  const body = { ...(await linked(email)), password: 'another horse' };
  expect(await ask(2, 'PUT', '/account/recovery', body)).toMatchObject({ status: 200 });
  expect(await login(2, 'another horse')).toBe(201);
  expect(await login(3, 'another horse')).toBe(429);
});

test('strangers who guess links use up their own attempts, not the user’s, and mails are limited', async () => {
  const limited = await startLimited();
  const ask = (place: number, method: string, path: string, body: object, cookies?: string) =>
    limited.request(method, path, { headers: { 'x-forwarded-for': `10.3.0.${place}` }, body, cookies });
  const [VERIFICATION, RECOVERY, url] = ['/account/verifications/email', '/account/recovery', 'http://localhost/'];
  const email = address();
  const { cookies } = await limited.signUp(email);
  const wanted: number[] = [];
  for (let place = 1; place <= 11; place++)
    wanted.push((await ask(place, 'POST', VERIFICATION, { url }, cookies)).status);
  expect(wanted).toEqual([...Array(10).fill(201), 429]);
  const verification = await linked(email);
  for (let sent = 1; sent < 10; sent++) await mail.mailTo(email);
  await ask(20, 'POST', RECOVERY, { email, url });
  const recovery = { ...(await linked(email)), password: 'another horse' };
  for (const [path, proof] of Object.entries({ [VERIFICATION]: verification, [RECOVERY]: recovery })) {
    const tries: number[] = [];
    for (let i = 0; i < 11; i++) tries.push((await ask(30, 'PUT', path, { ...proof, secret: 'guess' })).status);
    expect(tries).toEqual([...Array(10).fill(401), 429]);
    expect(await ask(31, 'PUT', path, proof)).toMatchObject({ status: 200 });
  }
});

test('a verification link does not verify the address that came after it', async () => {
  const email = address();
  const { cookies } = await server.signUp(email);
  await server.request('POST', '/account/verifications/email', { cookies, body: { url: PAGE } });
  const proof = await linked(email);
  await server.request('PATCH', `/users/${proof.userId}/email`, { asKey: true, body: { email: address() } });
  expect((await server.request('PUT', '/account/verifications/email', { body: proof })).body).toMatchObject(INVALID);
});

test('a verification asked for before a change of address goes to the new one', async () => {
  const [email, victim] = [address(), address()];
  const { cookies } = await server.signUp(email);
  const finish = await server.hold('POST', '/account/verifications/email', { cookies, body: { url: PAGE } });
  const body = { email: victim, password: 'correct horse' };
  expect(await server.request('PATCH', '/account/email', { cookies, body })).toMatchObject({ status: 200 });
  expect(await finish()).toMatchObject({ status: 201 });
  expect((await linked(victim)).secret).not.toBe('');
  expect(mail.offered).not.toContain(email);
});

const ask = (url: unknown) => server.request('POST', '/account/recovery', { body: { email: 'ann@example.com', url } });
const unknownUser = { body: { type: 'user_not_found' } };

test.each([
  'https://blog.example.com',
  'https://blog.example.com/a/b?c=d#e',
  'https://app.example.org:8443/x',
  'http://a.b.example.org/',
  'appwrite-callback-p1://reset',
])('a mail links to %s', async (url) => expect(await ask(url)).toMatchObject(unknownUser));

test.each([
  'http://blog.example.com/',
  'https://blog.example.com:8443/',
  'https://blog.example.com.evil.test/',
  'https://blog.example.com@evil.test/',
  'https://evil.test\\@blog.example.com/',
  'https://user@blog.example.com/',
  'https://example.org/',
  'appwrite-callback-p2://reset',
  '//blog.example.com/',
  `https://blog.example.com/${'x'.repeat(2048)}`,
  `https://blog.example.com/${'ü'.repeat(400)}`,
  ['https://blog.example.com'],
  7,
])('a mail links not to %s', async (url) => {
  const { body } = await ask(url);
  expect(body).toMatchObject({ code: 400, type: 'general_argument_invalid' });
  expect(body.message).toMatch(/^Invalid `url` param: Invalid URI\./);
});

test('a code makes no user when its mail has no room', async () => {
  const refused = await backendOfTest({ mail: mail.options });
  refused.sql(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO outbox (id, kind, created_at, due_at, sealed) SELECT 'mail' || i, 'otp', 0, 1e15, x'00' FROM n`);
  const asked = await refused.request('POST', '/account/tokens/email', { body: { userId: 'ann', email: address() } });
  expect(asked.body).toMatchObject({ code: 503, type: 'general_server_busy' });
  expect(await refused.request('GET', '/users/ann', { asKey: true })).toMatchObject({ status: 404 });
});
