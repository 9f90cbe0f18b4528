/** A: sign-up and sign-in with email and password, cookies and their fallback, limits (contract 1.2, 1.5, 1.8, 2.1). */
import type { Models } from 'node-appwrite';
import { once } from './cleanup.ts';
import { BAD_TOKEN, DATE, error, invalid, LIMITED, NO_ACCOUNT, refused, WRONG_PASSWORD } from './expect.ts';
import { briefSessions, inOneWindow } from './facilities.ts';
import type { Http, HttpResponse } from './http.ts';
import { expect, test } from './kit.ts';
import { fresh, freshEmail } from './names.ts';
import { account, anonymous, cookieNames, forget, guestOf, keyOf, logIn, PASSWORD, server, signIn } from './people.ts';
import { node } from './sdk.ts';

/** Signs up with a server key, which is not rate-limited. The id and address are new unless `fields` sets them. */
async function signUp(fields: Record<string, unknown> = {}): Promise<HttpResponse> {
  const answer = await keyOf().http.post('/account', { ...newcomer(), ...fields });
  if (answer.status === 201) forget(answer.json<Models.User>().$id);
  return answer;
}

const newcomer = () => ({ userId: fresh('user'), email: freshEmail(), password: PASSWORD });
const EXISTS = 'A user with the same id, email, or phone already exists in this project.';
const TAKEN = error(409, 'user_already_exists', EXISTS);

test('A01 sign-up makes an unverified user without labels, prefs or session', async ({ guest: { http, web } }) => {
  const [first, second] = [newcomer(), newcomer()];
  const answer = await http.post('/account', { ...first, name: 'Ann' }).is(201);
  forget(first.userId);
  expect(answer.cookies).toEqual([]);
  const { userId, email } = first;
  expect(answer.json()).toMatchObject({
    ...{ $id: userId, $createdAt: DATE, $updatedAt: DATE, registration: DATE, passwordUpdate: DATE, accessedAt: DATE },
    ...{ name: 'Ann', email, phone: '', status: true, labels: [], prefs: {} },
    ...{ emailVerification: false, phoneVerification: false, mfa: false },
    targets: [{ userId, providerType: 'email', identifier: email, expired: false }],
  });
  forget(second.userId);
  const made = { $id: second.userId, email: second.email, name: 'Bea', labels: [] };
  expect(await web.account.create({ ...second, name: 'Bea' })).toMatchObject(made);
  expect(web.localStorage.getItem('cookieFallback')).toBeNull();
});

test('A02 e-mail addresses are kept in lower case and are taken whatever their case', async () => {
  const email = freshEmail();
  const kept = { email, targets: [{ identifier: email }] };
  expect((await signUp({ email: email.toUpperCase() })).is(201).json()).toMatchObject(kept);
  await refused(TAKEN, signUp({ email }), signUp({ email: email.toUpperCase() }));
});

test('A04 an id that is taken is 409', async () => {
  const userId = fresh('user');
  (await signUp({ userId })).is(201);
  await refused(TAKEN, signUp({ userId }), keyOf().node.account.create({ ...newcomer(), userId }));
});

test('A05 the id unique() lets the server make one of 20 characters', async () => {
  const { $id } = (await signUp({ userId: 'unique()' })).is(201).json<Models.User>();
  expect($id).toMatch(/^[a-zA-Z0-9]{20}$/);
});

test('A06 an id that begins with a mark or has 37 characters is 400', async () => {
  const chars = 'Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore';
  const rule = `Parameter must contain at most 36 chars. ${chars}. Can't start with a special char`;
  for (const userId of ['_ann', 'a'.repeat(37), 'ann/ann']) await refused(invalid('userId', rule), signUp({ userId }));
});

test('A08 A18 a password has 8 to 256 bytes, at sign-in too', async () => {
  const rule = invalid('password', 'Password must be between 8 and 256 characters long.');
  for (const length of [7, 257]) await refused(rule, signUp({ password: 'a'.repeat(length) }));
  await refused(rule, logIn((await ann()).email, 'abcdef'));
  for (const password of ['a'.repeat(8), 'a'.repeat(256), 'é'.repeat(4)]) (await signUp({ password })).is(201);
});

test('A10 an invalid e-mail and a name of 129 characters are 400; without a name it is empty', async () => {
  const rule = invalid('email', 'Value must be a valid email address');
  await refused(rule, signUp({ email: 'ann' }), signUp({ email: 'ann@' }));
  await refused(invalid('name'), signUp({ name: 'n'.repeat(129) }));
  expect((await signUp({ name: 'n'.repeat(128) })).is(201).json()).toMatchObject({ name: 'n'.repeat(128) });
  expect((await signUp()).is(201).json()).toMatchObject({ name: '' });
});

test('A12 sign-up is limited to ten an hour, invalid ones counted; a key is not', async ({ limited, skip }) => {
  const { http, web } = guestOf(limited);
  await inOneWindow(3600, 10, async () => {
    const first = await http.post('/account', { userId: '_' });
    if (first.status === 429) return skip('this address has used up the sign-ups of this hour');
    const left = Number(first.header('x-ratelimit-remaining'));
    expect(left).toBeLessThanOrEqual(9);
    for (let used = 0; used < left; used += 1) await http.post('/account', { userId: '_' }).is(400);
    await refused(LIMITED, http.post('/account', newcomer()), web.account.create(newcomer()));
  });
  const byKey = await keyOf(limited).http.post('/account', newcomer()).json<Models.User>(201);
  forget(byKey.$id, limited);
});

const ann = once(() => account());
const annsLogin = async () => logIn((await ann()).email, PASSWORD).is(201);

const decode = (secret: string): { id: string; secret: string } =>
  JSON.parse(Buffer.from(decodeURIComponent(secret), 'base64').toString('utf8'));

test('A13 sign-in answers the session, its secret hidden', async ({ guest, key }) => {
  const { userId, email, password } = newcomer();
  await key.http.post('/users', { userId, email, password }).is(201);
  forget(userId);
  for (const session of [
    await logIn(email, password).json(201),
    await guest.http.post('/account/sessions', { email, password }).json(201),
    await guestOf().web.account.createEmailPasswordSession({ email, password }),
  ]) {
    expect(session).toMatchObject({
      ...{ userId, provider: 'email', providerUid: email, factors: ['password'], current: true, secret: '' },
      countryCode: expect.stringMatching(/^[a-z]{2}$|^--$/),
    });
  }
});

test('A14 A15 sign-in sets the session cookie and its legacy twin, HttpOnly, for the whole path', async () => {
  const answer = await annsLogin();
  const { expire } = answer.json<Models.Session>();
  for (const name of cookieNames()) {
    const attributes = answer.cookie(name)?.attributes;
    expect(attributes?.has('httponly'), name).toBe(true);
    expect(attributes?.get('path'), name).toBe('/');
    expect(attributes?.has('secure'), name).toBe(server().endpoint.startsWith('https:'));
    const ends = Date.parse((attributes?.get('expires') ?? '').replaceAll('-', ' '));
    expect(Math.abs(ends - Date.parse(expire)), name).toBeLessThanOrEqual(2000);
  }
  expect(answer.cookie(cookieNames()[1])?.attributes.has('samesite'), 'SameSite of the twin').toBe(false);
  const [main = '', twin] = cookieNames().map((name) => answer.cookie(name)?.value);
  expect(decode(main)).toEqual({ id: (await ann()).id, secret: expect.stringMatching(/^[0-9a-f]{256}$/) });
  expect(twin).toBe(main);
});

test('A16 on localhost cookies have no domain and the fallback header carries the session', async ({ skip }) => {
  const isLocal = /^(localhost|[\d.]+|\[.*\])$/.test(new URL(server().endpoint).hostname);
  if (!isLocal) return skip('the endpoint is neither localhost nor an address');
  const answer = await annsLogin();
  for (const cookie of answer.cookies) expect(cookie.attributes.has('domain'), cookie.name).toBe(false);
  const fallback = JSON.parse(answer.header('x-fallback-cookies') ?? 'null') as Record<string, string>;
  const name = `a_session_${server().projectId}`;
  expect(fallback).toEqual({ [name]: decodeURIComponent(answer.cookie(cookieNames()[0])?.value ?? '') });
  const { web } = guestOf();
  const { email, password } = await ann();
  await web.account.createEmailPasswordSession({ email, password });
  expect(JSON.parse(web.localStorage.getItem('cookieFallback') ?? '{}')).toHaveProperty(name);
  expect((await web.account.get()).email).toBe(email);
});

test('A17 a wrong password and an unknown address are refused in the same words', async ({ guest }) => {
  const { email } = await ann();
  const wrong = { ...WRONG_PASSWORD, message: 'Invalid credentials. Please check the email and password.' };
  const [known, unknown] = [await logIn(email, 'not-the-password'), await logIn(freshEmail(), PASSWORD)];
  const bySdk = guest.web.account.createEmailPasswordSession({ email, password: 'not-the-password' });
  await refused(wrong, known, unknown, bySdk);
  expect(unknown.json()).toEqual(known.json());
  expect(known.cookies).toEqual([]);
});

test('A19 signing in while signed in is refused, before parameters are read', async ({ ann: { http } }) => {
  const { email, password } = await ann();
  const text = 'Creation of a session is prohibited when a session is active.';
  const asked = [{ email, password }, {}].map((body) => http.post('/account/sessions/email', body));
  const rule = error(401, 'user_session_already_exists', text);
  await refused(rule, ...asked, http.post('/account/sessions/anonymous'));
});

test('A20 ten wrong passwords in an hour block an address, even for the right one', async ({ limited }) => {
  await inOneWindow(3600, 20, async () => {
    const [who, other] = [await account(limited), await account(limited)];
    await wrongAttempts(who.email, 10, limited);
    await refused(LIMITED, logIn(who.email, PASSWORD, limited));
    await logIn(other.email, PASSWORD, limited).is(201);
  });
});

test('A21 a right password gives all ten attempts back', async ({ limited }) => {
  await inOneWindow(3600, 30, async () => {
    const { email } = await account(limited);
    await wrongAttempts(email, 9, limited);
    await logIn(email, PASSWORD, limited).is(201);
    await wrongAttempts(email, 10, limited);
    await refused(LIMITED, logIn(email, PASSWORD, limited));
  });
});

async function wrongAttempts(email: string, count: number, where = server()): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => logIn(email, 'not-the-password', where).is(401)));
}

const idOf = async (http: Http, headers: Record<string, string>) =>
  (await http.get('/account', { headers }).json<Models.User>()).$id;

test('A22 a session works as cookie, legacy twin, fallback header and session header', async ({ guest }) => {
  const { id, session, web, node } = await signIn(await ann());
  const [main, twin] = cookieNames().map((name) => `${name}=${encodeURIComponent(session)}`);
  const ways: Record<string, string>[] = [
    ...[main, twin, `${cookieNames()[0]}=broken; ${twin}`].map((cookie = '') => ({ cookie })),
    { 'x-fallback-cookies': JSON.stringify({ [`a_session_${server().projectId}`]: session }) },
    { 'x-appwrite-session': session },
  ];
  for (const headers of ways) expect(await idOf(guest.http, headers)).toBe(id);
  for (const { account } of [web, node]) expect((await account.get()).$id).toBe(id);
});

test('A23 a session that is garbage, forged or over makes a guest', async ({ guest: { http }, skip }) => {
  const { id } = await ann();
  const forged = Buffer.from(JSON.stringify({ id, secret: 'f'.repeat(256) })).toString('base64');
  const bad = ['garbage', '', forged, Buffer.from('[]').toString('base64')];
  await refused(NO_ACCOUNT, ...bad.map((session) => http.with({ 'x-appwrite-session': session }).get('/account')));
  const seconds = 600;
  const brief = await briefSessions(seconds, skip);
  const someone = await signIn(await account(brief));
  await someone.http.get('/account').is(200);
  await brief.restart(seconds + 1);
  await refused(NO_ACCOUNT, someone.http.get('/account'));
});

test('A47 an anonymous session is a user without an e-mail address', async () => {
  const { answer, http } = await anonymous();
  expect(answer.json()).toMatchObject({ provider: 'anonymous', current: true, secret: '' });
  expect((await http.get('/account').json<Models.User>()).email).toBe('');
  const { web } = guestOf();
  forget((await web.account.createAnonymousSession()).userId);
  expect((await web.account.get()).email).toBe('');
});

test('A51 to a key sign-in shows the secret, which then signs in a server', async ({ guest, key }) => {
  const { id, email, password } = await ann();
  const { secret } = await key.node.account.createEmailPasswordSession({ email, password });
  expect(decode(secret).id).toBe(id);
  expect((await node(server(), { session: secret }).account.get()).$id).toBe(id);
  const raw = await key.http.post('/account/sessions/email', { email, password }).json<Models.Session>(201);
  expect(await idOf(guest.http, { 'x-appwrite-session': raw.secret })).toBe(id);
});

test('A49 password recovery with a wrong secret is 401', async ({ guest }) => {
  const body = { userId: (await ann()).id, secret: fresh('secret'), password: PASSWORD };
  await refused(BAD_TOKEN, guest.http.put('/account/recovery', body));
});
