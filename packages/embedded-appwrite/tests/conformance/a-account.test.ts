/** A: users' sessions, JSON Web Tokens and changes to their own account (contract 1.2, 2.1, 3, 4). */
import type { Models } from 'node-appwrite';
import { pause } from './cleanup.ts';
import { error, invalid, justWritten, NO_ACCOUNT, refused, WRONG_PASSWORD } from './expect.ts';
import { inOneWindow, withSessionLimit } from './facilities.ts';
import { expect, test } from './kit.ts';
import { freshEmail } from './names.ts';
import {
  account,
  anonymous,
  anotherSession,
  byJwt,
  cookieNames,
  guestOf,
  jwtOf,
  logIn,
  NEW_PASSWORD,
  PASSWORD,
  type Person,
  person,
  server,
  signIn,
} from './people.ts';
import { node } from './sdk.ts';

test('A26 the session named current is the own; a session of somebody else is not found', async ({ ann, bob }) => {
  const own = { $id: ann.sessionId, current: true, secret: '' };
  expect(await ann.http.get('/account/sessions/current').json()).toMatchObject(own);
  expect((await ann.web.account.getSession({ sessionId: 'current' })).$id).toBe(ann.sessionId);
  const foreign = `/account/sessions/${bob.sessionId}`;
  const rule = error(404, 'user_session_not_found', 'The current user session could not be found.');
  await refused(rule, ann.http.get(foreign), ann.http.delete(foreign, {}));
  await bob.http.get('/account').is(200);
});

test('A27 A35 signing out expires both cookies, the session and its JWT', async ({ bob, guest: { http } }) => {
  const who = await signIn(await account());
  const jwt = byJwt(await jwtOf(who));
  const headers = { cookie: who.cookie };
  const answer = await http.delete('/account/sessions/current', {}, { headers }).is(204);
  expect(answer.text).toBe('');
  for (const name of cookieNames()) {
    const attributes = answer.cookie(name)?.attributes;
    expect(Date.parse((attributes?.get('expires') ?? '').replaceAll('-', ' ')), name).toBeLessThan(Date.now());
    expect(attributes?.get('max-age'), name).toBe('0');
  }
  await bob.web.account.deleteSession({ sessionId: 'current' });
  await refused(NO_ACCOUNT, http.get('/account', { headers }), jwt.get('/account'), bob.web.account.get());
});

test('A28 another own session can be ended alone; ending all ends the current one too', async ({ ann, bob }) => {
  const [second, third] = [await anotherSession(ann), await anotherSession(ann)];
  await ann.http.delete(`/account/sessions/${second.sessionId}`, {}).is(204);
  await refused(NO_ACCOUNT, second.node.account.get());
  for (const who of [ann, third]) await who.http.get('/account').is(200);
  await ann.web.account.deleteSessions();
  await bob.http.delete('/account/sessions', {}).is(204);
  await refused(NO_ACCOUNT, ...[ann, third, bob].map((who) => who.http.get('/account')));
});

test('A30 extending the current session moves its end', async ({ ann }) => {
  const { account } = ann.web;
  const before = await account.getSession({ sessionId: 'current' });
  await pause(20);
  const raw = await ann.http.patch('/account/sessions/current', {}).json<Models.Session>();
  await pause(20);
  const sdk = await account.updateSession({ sessionId: 'current' });
  const ends = [Date.parse(before.expire), justWritten(raw.expire), justWritten(sdk.expire)];
  expect(ends).toEqual([...new Set(ends)].sort());
  expect((await account.listSessions()).sessions.map(({ expire }) => Date.parse(expire))).toEqual([ends[2]]);
});

test('A31 with a limit of 10 sessions the eleventh sign-in ends the first; without one all stay', async ({ skip }) => {
  const [first, ...rest] = await elevenSignIns();
  expect((await rest[9]?.web.account.listSessions())?.total).toBe(11);
  await first?.http.get('/account').is(200);
  await withSessionLimit(10, skip, async (limited) => {
    const [oldest, ...others] = await elevenSignIns(limited);
    const left = async () => (await others[9]?.web.account.listSessions())?.sessions.map(({ $id }) => $id).sort();
    // Appwrite removes the oldest session only after it has responded.
    await expect.poll(left).toEqual(others.map(({ sessionId }) => sessionId).sort());
    await refused(NO_ACCOUNT, oldest?.http.get('/account'));
  });
});

/** Signs in eleven times in sequence, because Appwrite counts the existing sessions before it adds a new one. */
async function elevenSignIns(where = server()): Promise<Person[]> {
  const who = await account(where);
  const people: Person[] = [];
  for (let i = 0; i < 11; i++) people.push(await signIn(who));
  return people;
}

function claims(jwt: string): Record<string, unknown> {
  const parts = jwt.split('.');
  expect(parts).toHaveLength(3);
  const [header, body] = parts.map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header ?? '')).toEqual({ typ: 'JWT', alg: 'HS256' });
  return JSON.parse(body ?? '') as Record<string, unknown>;
}

test('A32 a JWT names user and session and lasts 900 seconds unless told otherwise, at most 3600', async ({ ann }) => {
  const now = Date.now() / 1000;
  const { jwt: alias } = await ann.http.post('/account/jwt', {}).json<Models.Jwt>(201);
  for (const jwt of [await jwtOf(ann), alias, (await ann.web.account.createJWT()).jwt]) {
    const { exp, ...rest } = claims(jwt);
    expect(rest).toMatchObject({ userId: ann.id, sessionId: ann.sessionId });
    expect(Math.abs(Number(exp) - now - 900)).toBeLessThan(300);
  }
  const { exp } = claims((await ann.web.account.createJWT({ duration: 3600 })).jwt);
  expect(Math.abs(Number(exp) - now - 3600)).toBeLessThan(300);
  await refused(invalid('duration'), ann.http.post('/account/jwts', { duration: 3601 }));
  const none = await ann.http.post('/account/jwts', { duration: 0 }).is(201, 400, 500);
  if (none.status === 201) {
    await refused(error(401, 'user_jwt_invalid'), byJwt(none.json<Models.Jwt>().jwt).get('/account'));
  }
});

test('A34 A36 a JWT signs in; beside a cookie it is refused, and it mints no other', async ({ ann }) => {
  const jwt = await jwtOf(ann);
  const { web } = guestOf();
  web.client.setJWT(jwt);
  expect((await byJwt(jwt).get('/account').json<Models.User>()).$id).toBe(ann.id);
  for (const sdk of [web, node(server(), { jwt })]) expect((await sdk.account.get()).$id).toBe(ann.id);
  await refused(error(404, 'user_session_not_found'), byJwt(jwt).get('/account/sessions/current'));
  const denied = [error(403, 'user_jwt_creation_denied'), error(404, 'user_session_not_found')];
  await refused(denied, byJwt(jwt).post('/account/jwts', {}));
  const sdk = node(server(), { jwt, session: ann.session }).account.get();
  await refused(error(403, 'user_jwt_and_cookie_set'), byJwt(jwt).with({ cookie: ann.cookie }).get('/account'), sdk);
});

test('A37 a JWT that was tampered with is 401', async ({ ann, bob }) => {
  const good = await jwtOf(ann);
  const [header, body, signature = ''] = good.split('.');
  const foreign = Buffer.from(JSON.stringify({ ...claims(good), userId: bob.id })).toString('base64url');
  const flipped = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const unsigned = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
  const forged = [`${header}.${body}.${flipped}`, `${header}.${foreign}.${signature}`, `${unsigned}.${body}.`];
  const asked = [...forged, 'nonsense'].map((jwt) => byJwt(jwt).get('/account'));
  await refused(error(401, 'user_jwt_invalid', /^Failed to verify JWT\./), ...asked);
});

test('A52 JWTs are counted by user: after the first of a minute 119 remain', async ({ counting }) => {
  await inOneWindow(60, 5, async () => {
    for (const who of [await person(counting), await person(counting)]) {
      const answer = await who.http.post('/account/jwts', {}).is(201);
      expect(['limit', 'remaining'].map((name) => answer.header(`x-ratelimit-${name}`))).toEqual(['120', '119']);
    }
  });
});

test('A38 the name can be changed, not emptied', async ({ ann: { http, web } }) => {
  expect((await http.patch('/account/name', { name: 'Änn' }).json<Models.User>()).name).toBe('Änn');
  expect((await web.account.updateName({ name: 'Bea' })).name).toBe('Bea');
  for (const name of ['', 'n'.repeat(129)]) await refused(invalid('name'), http.patch('/account/name', { name }));
  expect((await web.account.get()).name).toBe('Bea');
});

test('A43 a new password ends the other sessions; the current one stays', async () => {
  const who = await account();
  const [current, other] = [await signIn(who), await signIn(who)];
  await current.http.patch('/account/password', { password: NEW_PASSWORD, oldPassword: PASSWORD }).is(200);
  expect((await current.web.account.get()).$id).toBe(who.id);
  await refused(NO_ACCOUNT, other.http.get('/account'));
  const again = await signIn({ ...who, password: NEW_PASSWORD });
  await again.web.account.updatePassword({ password: PASSWORD, oldPassword: NEW_PASSWORD });
  await refused(NO_ACCOUNT, current.http.get('/account'));
});

test('A44 A45 I24 a new address needs the password, is free, and unverified', async ({ ann, key }) => {
  const other = await account();
  const { id, email, http, web } = await signIn(await account());
  await key.http.patch(`/users/${id}/verification`, { emailVerification: true }).is(200);
  const change = (email: string, password = PASSWORD, by = http) => by.patch('/account/email', { email, password });
  await refused(WRONG_PASSWORD, change(freshEmail(), 'not-the-password'));
  const taken = [other.email, other.email.toUpperCase(), email].map((address) => change(address));
  await refused([error(409, 'user_target_already_exists'), error(400)], ...taken);
  expect(await web.account.get()).toMatchObject({ email, emailVerification: true });
  const next = { email: freshEmail(), emailVerification: false };
  expect(await change(next.email).json()).toMatchObject(next);
  const second = freshEmail();
  expect(await web.account.updateEmail({ email: second, password: PASSWORD })).toMatchObject({ email: second });
  for (const who of [ann, await anonymous()]) {
    const own = freshEmail();
    expect(await change(own, PASSWORD, who.http).json()).toMatchObject({ $id: who.id, email: own });
    await logIn(own, PASSWORD).is(201);
  }
});
