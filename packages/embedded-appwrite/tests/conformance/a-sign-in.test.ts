/** A: sign-in by e-mail and password, cookies and their substitutes (contract 1.2, 1.5, 2.1). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later, once } from './cleanup.ts';
import { GUEST_WITHOUT_ACCOUNT, invalid, refused } from './expect.ts';
import { briefSessions } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line, server } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, guest, PASSWORD, person, signIn } from './people.ts';
import { node } from './sdk.ts';

const ann = once(() => account(server()));

const WRONG = {
  code: 401,
  type: 'user_invalid_credentials',
  message: 'Invalid credentials. Please check the email and password.',
};

async function logIn(): Promise<HttpResponse> {
  const { email, password } = await ann();
  return (await guest(server()).http.post('/account/sessions/email', { email, password })).is(201);
}

/** Returns the two names of a session cookie; the original's framework lowercases them. */
function cookieNames(): [main: string, legacy: string] {
  const main = `a_session_${server().projectId}`.toLowerCase();
  return [main, `${main}_legacy`];
}

function decode(secret: string): { id: string; secret: string } {
  return JSON.parse(Buffer.from(decodeURIComponent(secret), 'base64').toString('utf8')) as {
    id: string;
    secret: string;
  };
}

line('A13', 'sign-in answers the session, its secret hidden', async () => {
  const { http } = admin(server());
  const [id, email, password] = [fresh('user'), freshEmail(), PASSWORD];
  (await http.post('/users', { userId: id, email, password })).is(201);
  later(() => http.delete(`/users/${id}`));
  const expected = {
    userId: id,
    provider: 'email',
    providerUid: email,
    factors: ['password'],
    current: true,
    secret: '',
    countryCode: expect.stringMatching(/^[a-z]{2}$|^--$/),
  };
  const raw = await guest(server()).http.post('/account/sessions/email', { email, password });
  expect(raw.is(201).json()).toMatchObject(expected);
  expect(await guest(server()).web.account.createEmailPasswordSession({ email, password })).toMatchObject(expected);
  const alias = await guest(server()).http.post('/account/sessions', { email, password });
  expect(alias.is(201).json()).toMatchObject(expected);
});

line('A14', 'sign-in sets the session cookie and its legacy twin, HttpOnly, for the whole path', async () => {
  const answer = await logIn();
  const session = answer.json<Models.Session>();
  for (const name of cookieNames()) {
    const cookie = answer.cookie(name);
    expect(cookie, name).toBeDefined();
    expect(cookie?.attributes.has('httponly'), name).toBe(true);
    expect(cookie?.attributes.get('path'), name).toBe('/');
    expect(cookie?.attributes.has('secure'), name).toBe(server().endpoint.startsWith('https:'));
    const expires = Date.parse((cookie?.attributes.get('expires') ?? '').replaceAll('-', ' '));
    expect(Math.abs(expires - Date.parse(session.expire)), name).toBeLessThanOrEqual(2000);
  }
  expect(answer.cookie(cookieNames()[1])?.attributes.has('samesite'), 'SameSite of the twin').toBe(false);
});

line('A15', 'a session cookie is base64 of the user id and a secret of 256 characters', async () => {
  const answer = await logIn();
  const { id } = await ann();
  const [main, twin] = cookieNames().map((name) => answer.cookie(name)?.value ?? '');
  expect(decode(main ?? '')).toEqual({ id, secret: expect.stringMatching(/^[0-9a-f]{256}$/) });
  expect(twin).toBe(main);
});

line('A16', 'on localhost cookies have no domain and the fallback header carries the session', async (context) => {
  if (!/^(localhost|[\d.]+|\[.*\])$/.test(new URL(server().endpoint).hostname)) {
    return context.skip('the endpoint is neither localhost nor an address');
  }
  const answer = await logIn();
  for (const cookie of answer.cookies) expect(cookie.attributes.has('domain'), cookie.name).toBe(false);
  const fallback = JSON.parse(answer.header('x-fallback-cookies') ?? 'null') as Record<string, string>;
  const name = `a_session_${server().projectId}`;
  expect(fallback).toEqual({ [name]: decodeURIComponent(answer.cookie(name.toLowerCase())?.value ?? '') });
  const { web } = guest(server());
  const { email, password } = await ann();
  await web.account.createEmailPasswordSession({ email, password });
  expect(JSON.parse(web.localStorage.getItem('cookieFallback') ?? '{}')).toHaveProperty(name);
  expect((await web.account.get()).email).toBe(email);
});

line('A17', 'a wrong password and an unknown address are refused in the same words', async () => {
  const { email } = await ann();
  const { http, web } = guest(server());
  const attempts = [
    { email, password: 'not-the-password' },
    { email: freshEmail(), password: PASSWORD },
  ];
  const [known, unknown] = await Promise.all(attempts.map((body) => http.post('/account/sessions/email', body)));
  await refused(WRONG, Promise.resolve(known), Promise.resolve(unknown));
  expect(unknown?.json()).toEqual(known?.json());
  expect(known?.cookies).toEqual([]);
  await refused(WRONG, ...attempts.map((body) => web.account.createEmailPasswordSession(body)));
});

line('A18', 'a password of 6 characters is 400 at sign-in too', async () => {
  const { email } = await ann();
  const { http, web } = guest(server());
  const body = { email, password: 'abcdef' };
  await refused(
    invalid('password'),
    http.post('/account/sessions/email', body),
    web.account.createEmailPasswordSession(body),
  );
});

line('A19', 'signing in while signed in is refused, before parameters are read', async () => {
  const { email, password } = await ann();
  const { http, web } = await person(server());
  await refused(
    {
      code: 401,
      type: 'user_session_already_exists',
      message: 'Creation of a session is prohibited when a session is active.',
    },
    http.post('/account/sessions/email', { email, password }),
    http.post('/account/sessions/email', {}),
    http.post('/account/sessions/anonymous'),
    web.account.createEmailPasswordSession({ email, password }),
  );
});

line('A22', 'a session works as cookie, as its legacy twin, as fallback header and as session header', async () => {
  const { id } = await ann();
  const { session, web, node } = await signIn(server(), await ann());
  const [main, legacy] = cookieNames();
  const { http } = guest(server());
  const ways: Record<string, string>[] = [
    { cookie: `${main}=${encodeURIComponent(session)}` },
    { cookie: `${legacy}=${encodeURIComponent(session)}` },
    { 'x-fallback-cookies': JSON.stringify({ [`a_session_${server().projectId}`]: session }) },
    { 'x-appwrite-session': session },
  ];
  for (const headers of ways) {
    expect((await http.get('/account', { headers })).is(200).json<Models.User>().$id).toBe(id);
  }
  expect((await web.account.get()).$id).toBe(id);
  expect((await node.account.get()).$id).toBe(id);
});

line('A23', 'a session that is garbage, forged or over makes a guest', async (context) => {
  const { id } = await ann();
  const { http } = guest(server());
  const forged = Buffer.from(JSON.stringify({ id, secret: 'f'.repeat(256) })).toString('base64');
  for (const session of ['garbage', '', forged, Buffer.from('[]').toString('base64')]) {
    await refused(GUEST_WITHOUT_ACCOUNT, http.get('/account', { headers: { 'x-appwrite-session': session } }));
  }
  await refused(GUEST_WITHOUT_ACCOUNT, node(server(), { session: forged }).account.get());
  const seconds = 5;
  const brief = await briefSessions(seconds, context);
  const someone = await person(brief);
  (await someone.http.get('/account')).is(200);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 100));
  await refused(GUEST_WITHOUT_ACCOUNT, someone.http.get('/account'), someone.web.account.get());
});

line('A46', 'a blocked user may neither use a session nor sign in', async () => {
  const { http } = admin(server());
  const who = await account(server());
  const { http: own, web } = await signIn(server(), who);
  (await http.patch(`/users/${who.id}/status`, { status: false })).is(200);
  const blocked = { code: 403, type: 'user_blocked', message: 'The current user has been blocked.' };
  const { email, password } = who;
  await refused(
    blocked,
    own.get('/account'),
    web.account.get(),
    guest(server()).http.post('/account/sessions/email', { email, password }),
    guest(server()).web.account.createEmailPasswordSession({ email, password }),
  );
});

line('A47', 'an anonymous session is a user without an e-mail address', async () => {
  const { http, web } = guest(server());
  const answer = (await http.post('/account/sessions/anonymous')).is(201);
  expect(answer.json()).toMatchObject({ provider: 'anonymous', current: true, secret: '' });
  const [main] = cookieNames();
  const cookie = `${main}=${answer.cookie(main)?.value}`;
  const user = (await http.get('/account', { headers: { cookie } })).is(200).json<Models.User>();
  expect(user.email).toBe('');
  const { userId } = await web.account.createAnonymousSession();
  expect((await web.account.get()).email).toBe('');
  await Promise.all([user.$id, userId].map((id) => admin(server()).http.delete(`/users/${id}`)));
});

line('A50', 'a key is nobody: it has no account', async () => {
  const { http, node } = admin(server());
  await refused({ code: 401, type: 'general_unauthorized_scope' }, http.get('/account'), node.account.get());
});

line('A51', 'to a key sign-in shows the secret, which then signs in a server', async () => {
  const { id, email, password } = await ann();
  const { secret } = await admin(server()).node.account.createEmailPasswordSession({ email, password });
  expect(decode(secret).id).toBe(id);
  expect((await node(server(), { session: secret }).account.get()).$id).toBe(id);
  const raw = (await admin(server()).http.post('/account/sessions/email', { email, password })).is(201);
  const headers = { 'x-appwrite-session': raw.json<Models.Session>().secret };
  (await guest(server()).http.get('/account', { headers })).is(200);
});

line('A48', 'password recovery without mail is 503', async (context) => {
  const { email } = await ann();
  const body = { email, url: 'http://localhost:5173/recovery' };
  const answer = await guest(server()).http.post('/account/recovery', body);
  if (answer.status === 201 && !server().embedded) return context.skip('the server sends mail');
  await refused(
    { code: 503, type: 'general_smtp_disabled', message: 'SMTP Disabled' },
    Promise.resolve(answer),
    guest(server()).web.account.createRecovery(body),
  );
});

line('A49', 'password recovery with a wrong secret is 401', async () => {
  const { id } = await ann();
  const body = { userId: id, secret: fresh('secret'), password: PASSWORD };
  await refused(
    { code: 401, type: 'user_invalid_token', message: 'Invalid token passed in the request.' },
    guest(server()).http.put('/account/recovery', body),
    guest(server()).web.account.updateRecovery(body),
  );
});
