/** The mail flows through the API, as far as the conformance suite does not go: what kills a token, who may be linked to, what is kept. */
import { hash } from 'node:crypto';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '@common-ink/http/free-port.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/backend.ts';
import { startMailServer, type TestMailServer } from '../../tests/support/mail-server.ts';
import type { BackendEvent } from '../events.ts';

const PAGE = 'https://blog.example.com/reset';
const INVALID = { code: 401, type: 'user_invalid_token' };

let mail: TestMailServer;
let server: TestBackend;
let logged: string[];
beforeAll(async () => {
  logged = [];
  mail = await startMailServer();
  server = await startTestBackend({
    projectName: 'Ink <b>& Co.</b>',
    ownOrigins: ['https://blog.example.com'],
    webOrigins: ['*.example.org'],
    mail: { host: '127.0.0.1', port: mail.port, secure: 'none', from: { address: 'blog@example.com', name: 'Blog' } },
    log: (_level, message, error) => logged.push(`${message} ${error ?? ''}`),
  });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});

let count = 0;
const address = (): string => `reader${++count}@example.com`;

/** What a link or a text of the next mail holds. */
async function mailed(
  email: string,
): Promise<{ userId: string; secret: string; code: string; text: string; html: string }> {
  const { text = '', html = '' } = (await mail.mailTo(email)).email;
  const link = URL.parse(/^https?:\S+$/m.exec(text)?.[0] ?? '');
  const of = (name: string): string => link?.searchParams.get(name) ?? '';
  return { userId: of('userId'), secret: of('secret'), code: /^\d{6}$/m.exec(text)?.[0] ?? '', text, html };
}

const recover = (email: string) => server.request('POST', '/account/recovery', { body: { email, url: PAGE } });
const reset = (proof: { userId: string; secret: string }) =>
  server.request('PUT', '/account/recovery', { body: { ...proof, password: 'another horse' } });

async function recovery(email: string): Promise<{ userId: string; secret: string }> {
  expect(await recover(email)).toMatchObject({ status: 201 });
  const { userId, secret } = await mailed(email);
  return { userId, secret };
}

describe('a recovery link is dead', () => {
  test('once another one was used', async () => {
    const email = address();
    await server.signUp(email);
    const [first, second] = [await recovery(email), await recovery(email)];
    expect(await reset(first)).toMatchObject({ status: 200 });
    expect((await reset(second)).body).toMatchObject(INVALID);
  });

  test('once the owner has another address', async () => {
    const email = address();
    const { cookies } = await server.signUp(email);
    const proof = await recovery(email);
    const body = { email: address(), password: 'correct horse' };
    expect(await server.request('PATCH', '/account/email', { cookies, body })).toMatchObject({ status: 200 });
    expect((await reset(proof)).body).toMatchObject(INVALID);
  });

  test('once the password is another one', async () => {
    const email = address();
    const { cookies } = await server.signUp(email);
    const proof = await recovery(email);
    const body = { password: 'changed horse', oldPassword: 'correct horse' };
    expect(await server.request('PATCH', '/account/password', { cookies, body })).toMatchObject({ status: 200 });
    expect((await reset(proof)).body).toMatchObject(INVALID);
  });

  test('while the user is blocked, and when the block has ended', async () => {
    const email = address();
    const { userId } = await server.signUp(email);
    const proof = await recovery(email);
    const setStatus = (status: boolean) =>
      server.request('PATCH', `/users/${userId}/status`, { asKey: true, body: { status } });
    await setStatus(false);
    expect((await reset(proof)).body).toMatchObject({ code: 403, type: 'user_blocked' });
    await setStatus(true);
    expect((await reset(proof)).body).toMatchObject(INVALID);
  });
});

test('a new password signs in where it was chosen, whatever strangers tried in vain', async () => {
  const limited = await startTestBackend({
    rateLimits: true,
    trustedProxies: ['loopback'],
    mail: { host: '127.0.0.1', port: mail.port, secure: 'none', from: { address: 'blog@example.com' } },
  });
  const email = address();
  const from = (place: number) => ({ headers: { 'x-forwarded-for': `10.2.${place >> 8}.${place & 255}` } });
  const login = (place: number, password: string) =>
    limited.request('POST', '/account/sessions/email', { ...from(place), body: { email, password } });
  await limited.request('POST', '/users', { asKey: true, body: { userId: 'ann', email, password: 'correct horse' } });
  for (let i = 0; i < 11; i += 1) await login(1, 'wrong horse');
  expect(await login(2, 'correct horse')).toMatchObject({ status: 429 });
  await limited.request('POST', '/account/recovery', { ...from(2), body: { email, url: 'http://localhost/' } });
  const { userId, secret } = await mailed(email);
  const body = { userId, secret, password: 'another horse' };
  expect(await limited.request('PUT', '/account/recovery', { ...from(2), body })).toMatchObject({ status: 200 });
  expect(await login(2, 'another horse')).toMatchObject({ status: 201 });
  expect(await login(3, 'another horse')).toMatchObject({ status: 429 });
  await limited.stop();
});

test('strangers who try links in vain use up their own attempts, not those of the user; mails are bounded all the same', async () => {
  const limited = await startTestBackend({
    rateLimits: true,
    trustedProxies: ['loopback'],
    mail: { host: '127.0.0.1', port: mail.port, secure: 'none', from: { address: 'blog@example.com' } },
  });
  const ask = (place: number, method: string, path: string, body: object, cookies?: string) =>
    limited.request(method, path, { headers: { 'x-forwarded-for': `10.3.0.${place}` }, body, cookies });
  const [VERIFICATION, RECOVERY, url] = ['/account/verifications/email', '/account/recovery', 'http://localhost/'];
  const email = address();
  const { userId, cookies } = await limited.signUp(email);
  const wanted: number[] = [];
  for (let place = 1; place <= 11; place++) {
    wanted.push((await ask(place, 'POST', VERIFICATION, { url }, cookies)).status);
  }
  expect(wanted).toEqual([...Array(10).fill(201), 429]);
  const verification = { userId, secret: (await mailed(email)).secret };
  for (let sent = 1; sent < 10; sent++) await mailed(email);
  await ask(20, 'POST', RECOVERY, { email, url });
  const recovery = { userId, secret: (await mailed(email)).secret, password: 'another horse' };
  for (const [path, proof] of [
    [VERIFICATION, verification],
    [RECOVERY, recovery],
  ] as const) {
    const tries: number[] = [];
    for (let i = 0; i < 11; i++) tries.push((await ask(30, 'PUT', path, { ...proof, secret: 'guess' })).status);
    expect(tries).toEqual([...Array(10).fill(401), 429]);
    expect(await ask(31, 'PUT', path, proof)).toMatchObject({ status: 200 });
  }
  await limited.stop();
});

test('a verification link does not verify the address that came after it', async () => {
  const email = address();
  const { cookies, userId } = await server.signUp(email);
  await server.request('POST', '/account/verifications/email', { cookies, body: { url: PAGE } });
  const { secret } = await mailed(email);
  await server.request('PATCH', `/users/${userId}/email`, { asKey: true, body: { email: address() } });
  const used = await server.request('PUT', '/account/verifications/email', { body: { userId, secret } });
  expect(used.body).toMatchObject(INVALID);
});

test('a verification asked for before a change of address goes to the new one', async () => {
  const [email, victim] = [address(), address()];
  const { cookies } = await server.signUp(email);
  const finish = await server.hold('POST', '/account/verifications/email', { cookies, body: { url: PAGE } });
  const body = { email: victim, password: 'correct horse' };
  expect(await server.request('PATCH', '/account/email', { cookies, body })).toMatchObject({ status: 200 });
  expect(await finish()).toMatchObject({ status: 201 });
  expect((await mailed(victim)).secret).not.toBe('');
  expect(mail.offered).not.toContain(email);
});

describe('a mail links', () => {
  const ask = (url: unknown) =>
    server.request('POST', '/account/recovery', { body: { email: 'nobody@example.com', url } });
  const unknownUser = { body: { type: 'user_not_found' } };

  test.each([
    'https://blog.example.com',
    'https://blog.example.com/a/b?c=d#e',
    'https://app.example.org:8443/x',
    'http://a.b.example.org/',
    'appwrite-callback-p1://reset',
  ])('to %s', async (url) => expect(await ask(url)).toMatchObject(unknownUser));

  test.each([
    'http://blog.example.com/',
    'https://blog.example.com:8443/',
    'https://blog.example.com.evil.test/',
    'https://blog.example.com@evil.test/',
    'https://evil.test\\@blog.example.com/',
    'https://user@blog.example.com/',
    'https://example.org/',
    'appwrite-callback-p2://reset',
    'data:text/html,x',
    'ftp://blog.example.com/',
    '//blog.example.com/',
    `https://blog.example.com/${'x'.repeat(2048)}`,
    `https://blog.example.com/${'ü'.repeat(400)}`,
    ['https://blog.example.com'],
    7,
  ])('not to %s', async (url) => {
    const { body } = await ask(url);
    expect(body).toMatchObject({ code: 400, type: 'general_argument_invalid' });
    expect(body.message).toMatch(/^Invalid `url` param: Invalid URI\./);
  });
});

test('a name with tags of the project is text in the mail, and the link is in both parts', async () => {
  const email = address();
  await server.signUp(email);
  await recover(email);
  const { html, text, secret } = await mailed(email);
  expect(html).toContain('Ink &lt;b&gt;&amp; Co.&lt;/b&gt;');
  expect(text).toContain('Ink <b>& Co.</b>');
  expect(html).toContain(secret);
});

test.each([
  'ann@example.com\r\nBcc: eve@example.com',
  'ann@example.com\nBcc: eve@example.com',
  'ann@example.com, eve@example.com',
  'Ann <eve@example.com>',
  '"a\r\nBcc: eve@example.com"@example.com',
])('nothing is sent to the address %j, whoever asks', async (email) => {
  const before = mail.offered.length;
  const user = await server.signUp(address());
  const invite = { email, roles: [], url: PAGE };
  await server.request('POST', '/teams', { ...user, body: { teamId: `crew${count}`, name: 'Crew' } });
  for (const [method, path, body] of [
    ['POST', '/account', { userId: 'unique()', email, password: 'correct horse' }],
    ['POST', '/account/recovery', { email, url: PAGE }],
    ['POST', '/account/tokens/email', { userId: 'unique()', email }],
    ['POST', '/account/tokens/magic-url', { userId: 'unique()', email, url: PAGE }],
    ['PATCH', '/account/email', { email, password: 'correct horse' }],
    ['POST', `/teams/crew${count}/memberships`, invite],
  ] as const) {
    const asked = await server.request(method, path, { ...(/email$|memberships$/.test(path) && user), body });
    expect(asked.body, path).toMatchObject({ code: 400, type: 'general_argument_invalid' });
  }
  expect(mail.offered.length).toBe(before);
});

test('neither a secret nor a code is in the database, in answers or in the log', async () => {
  const email = address();
  await server.signUp(email);
  const { secret } = await recovery(email);
  const told: BackendEvent[] = [];
  const stop = server.backend.events.listen((event) => told.push(event));
  const asked = await server.request('POST', '/account/tokens/email', { body: { userId: 'unique()', email } });
  stop();
  const { code } = await mailed(email);
  expect(code).toMatch(/^\d{6}$/);
  expect(told).toEqual([]);
  expect(asked.body).toMatchObject({ secret: '' });
  const database = new DatabaseSync(join(server.directory, 'backend.sqlite'), { readOnly: true });
  const kept = JSON.stringify(database.prepare('SELECT * FROM tokens').all());
  const plain = database.prepare('SELECT secret FROM tokens WHERE type = ?').get('email')?.secret as string;
  database.close();
  for (const each of [secret, `"${code}"`]) expect(kept).not.toContain(each);
  // Six digits under a plain digest are found by trying all of them.
  expect(plain).not.toBe(hash('sha256', code));
  expect(logged.join('\n')).not.toContain(secret);
});

test('a code makes no user when its mail has no room', async () => {
  const refused = await startTestBackend({
    mail: { host: '127.0.0.1', port: 1, secure: 'none', from: { address: 'blog@example.com' } },
  });
  const database = new DatabaseSync(join(refused.directory, 'backend.sqlite'));
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO outbox (id, kind, created_at, due_at, sealed) SELECT 'mail' || i, 'otp', 0, 1e15, x'00' FROM n`);
  database.close();
  const asked = await refused.request('POST', '/account/tokens/email', { body: { userId: 'ann', email: address() } });
  expect(asked.body).toMatchObject({ code: 503, type: 'general_server_busy' });
  expect(await refused.request('GET', '/users/ann', { asKey: true })).toMatchObject({ status: 404 });
  await refused.stop();
});

test('mails that wait are sent after a restart', async () => {
  const port = await freePort();
  const options = {
    host: '127.0.0.1',
    port,
    secure: 'none',
    from: { address: 'blog@example.com' },
  } as const;
  const before = await startTestBackend({ webOrigins: ['localhost'], mail: options });
  const email = address();
  await before.request('POST', '/account/tokens/email', { body: { userId: 'ann', email } });
  const directory = await mkdtemp(join(tmpdir(), 'killed-'));
  // What a killed process leaves.
  await cp(before.directory, directory, { recursive: true });
  await before.stop();
  const database = new DatabaseSync(join(directory, 'backend.sqlite'));
  database.exec('UPDATE outbox SET due_at = 0');
  database.close();
  const back = await startMailServer({}, port);
  const after = await startTestBackend({ directory, webOrigins: ['localhost'], mail: options });
  const { email: received } = await back.mailTo(email);
  const secret = /^\d{6}$/m.exec(received.text ?? '')?.[0] ?? '';
  const used = await after.request('POST', '/account/sessions/token', { body: { userId: 'ann', secret } });
  expect(used).toMatchObject({ status: 201 });
  await after.stop();
  await back.stop();
});
