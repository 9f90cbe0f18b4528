/** I: account and users routes beyond part 1 of the contract, and token events (contract part 2, sections 7 and 9). */
import type { Models } from 'node-appwrite';
import { BLOCKED, DATE, error, invalid, NO_ACCOUNT, NO_USER, refused, WRONG_PASSWORD } from './expect.ts';
import { expect, test } from './kit.ts';
import { fresh } from './names.ts';
import {
  account,
  byJwt,
  cookieNames,
  guestOf,
  jwtOf,
  keyOf,
  logIn,
  NEW_PASSWORD,
  PASSWORD,
  person,
  server,
  signIn,
} from './people.ts';
import { collection, document, owner } from './schema.ts';
import { Socket } from './sockets.ts';
import { hook } from './webhook-receiver.ts';

test('A39 I25 preferences are replaced as a whole, and are an object', async ({ ann: { http, web } }) => {
  expect((await http.get('/account/prefs').is(200)).text).toBe('{}');
  const setPrefs = (prefs: unknown) => http.patch('/account/prefs', { prefs });
  for (const prefs of [{ a: { b: [1, { c: null }] } }, {}]) {
    expect((await setPrefs(prefs).json<Models.User>()).prefs).toEqual(prefs);
    expect(await http.get('/account/prefs').json()).toEqual(prefs);
  }
  expect((await web.account.updatePrefs({ prefs: { b: 2 } })).prefs).toEqual({ b: 2 });
  expect({ ...(await web.account.getPrefs()) }).toEqual({ b: 2 });
  await refused(invalid('prefs'), ...[['list'], 'text', 5, { long: 'x'.repeat(65_536) }].map(setPrefs));
});

test('A42 I25 only the first password needs no old one', async ({ ann: { email, http } }) => {
  const change = (body: Record<string, string>) => http.patch('/account/password', body);
  await change({ password: PASSWORD }).is(200);
  await logIn(email, PASSWORD).is(201);
  const wrong = { password: NEW_PASSWORD, oldPassword: 'not-the-password' };
  await refused(WRONG_PASSWORD, change({ password: NEW_PASSWORD }), change(wrong));
  await change({ password: NEW_PASSWORD, oldPassword: PASSWORD }).is(200);
});

test('A46 U05 I26 a blocked user is refused with session and JWT until he is unblocked', async ({ key, pub }) => {
  const who = await signIn(await account());
  const jwt = byJwt(await jwtOf(who));
  const status = (status: unknown) => key.http.patch(`/users/${who.id}/status`, { status });
  expect(await status(false).json()).toMatchObject({ status: false });
  await refused(invalid('status'), status('perhaps'));
  const reads = [who.http, jwt].flatMap((by) => ['/account', pub.documents].map((path) => by.get(path)));
  const verified = who.http.put('/account/verifications/email', {});
  const out = who.http.delete('/account/sessions/current', {});
  await refused(BLOCKED, ...reads, verified, out, who.web.account.get(), logIn(who.email, PASSWORD));
  await refused(WRONG_PASSWORD, logIn(who.email, 'not-the-password'));
  expect((await key.node.users.updateStatus({ userId: who.id, status: true })).status).toBe(true);
  for (const each of [who.http, jwt]) await each.get('/account').is(200);
});

test('I27 a user may block himself', async ({ ann: { http }, guest }) => {
  await refused(NO_ACCOUNT, guest.http.patch('/account/status', {}));
  const answer = await http.patch('/account/status', {}).is(200);
  expect(answer.json()).toMatchObject({ status: false });
  for (const name of cookieNames())
    expect(Date.parse(answer.cookie(name)?.attributes.get('expires') ?? '')).toBeLessThan(Date.now());
  expect(answer.header('x-fallback-cookies')).toBe('[]');
  await refused(BLOCKED, http.get('/account'), http.patch('/account/status', {}));
});

test('U08 I28 a deleted user is gone at once; who takes his id gets no session of his', async ({ ann, bob, key }) => {
  const { id, email, http } = ann;
  const jwt = byJwt(await jwtOf(ann));
  const where = await collection({ documentSecurity: true });
  const { $id } = await document(where, {}, owner(id));
  await key.node.users.delete({ userId: id });
  await refused(NO_ACCOUNT, http.get('/account'), jwt.get('/account'));
  await key.http.get(where.document($id)).is(200);
  await key.http.post('/users', { userId: id, email }).is(201);
  await bob.http.delete('/account', {}).is(204);
  await refused(NO_ACCOUNT, http.get('/account'), jwt.get('/account'), bob.http.get('/account'));
  await refused(NO_USER, key.http.get(`/users/${bob.id}`), key.http.delete(`/users/${bob.id}`));
});

test('I29 a key ends all of a user’s sessions, and their JWTs with them', async ({ key: { http, node } }) => {
  const who = await account();
  const [first, second] = [await signIn(who), await signIn(who)];
  const jwt = byJwt(await jwtOf(first));
  const sessions = `/users/${who.id}/sessions`;
  await refused(error(404, 'user_session_not_found'), http.delete(`${sessions}/${fresh('session')}`));
  await node.users.deleteSessions({ userId: who.id });
  await refused(NO_ACCOUNT, ...[first.http, second.http, jwt].map((each) => each.get('/account')));
  await http.delete(sessions).is(204);
  await http.delete(`${sessions}/${first.sessionId}`).is(404);
});

test('A25 I30 the list of sessions has every field, no secret, and knows the current one', async ({ guest, key }) => {
  const who = await account();
  await key.http.post(`/users/${who.id}/sessions`).is(201);
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const browser = guest.http.with({ 'user-agent': userAgent });
  const answer = await browser.post('/account/sessions/email', { email: who.email, password: who.password }).is(201);
  const { secret } = await key.node.users.createToken({ userId: who.id });
  await guest.http.post('/account/sessions/token', { userId: who.id, secret }).is(201);
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const list = await browser.with({ cookie }).get('/account/sessions').json<Models.SessionList>();
  expect(list).toMatchObject({ total: 3, sessions: { length: 3 } });
  const seen = list.sessions.map(({ provider, current, secret }) => [provider, current, secret].join());
  expect(seen).toEqual(['server,false,', 'email,true,', 'token,false,']);
  const texts =
    '$id providerUid providerAccessToken providerAccessTokenExpiry providerRefreshToken ip osCode osName osVersion clientType clientCode clientName clientVersion clientEngine clientEngineVersion deviceName deviceBrand deviceModel countryCode countryName mfaUpdatedAt';
  for (const session of list.sessions) {
    expect(session).toMatchObject({
      ...{ $createdAt: DATE, $updatedAt: DATE, expire: DATE, userId: who.id, factors: expect.any(Array) },
      ...Object.fromEntries(texts.split(' ').map((name) => [name, expect.any(String)])),
    });
  }
  expect(list.sessions[1]).toMatchObject({
    ...{ osCode: 'LIN', osName: 'GNU/Linux', clientType: 'browser', clientName: 'Firefox', deviceName: 'desktop' },
    ...{ factors: ['password'], mfaUpdatedAt: '' },
  });
});

const PAGE = 'http://localhost:5173/in';

test('I23 webhooks hear of each token with its secret, the user’s own sockets without', async ({ mailing, skip }) => {
  const { node } = keyOf(mailing);
  const { http, web } = guestOf(mailing);
  const who = await person(mailing);
  const events = ['recovery', 'verification', 'tokens', 'sessions'].map((kind) => `users.${who.id}.${kind}.*.create`);
  const target = await hook(skip, events, { on: mailing });
  const socket = await Socket.on(['account'], who);
  const told = async (kind: string, id: string) => {
    const { names, payload, user } = await target.next();
    expect(names[0]).toBe(`users.${who.id}.${kind}.${id}.create`);
    expect(payload).toMatchObject({ $id: id, userId: who.id });
    return { user, secret: payload.secret };
  };
  const hex = expect.stringMatching(/^[0-9a-f]{256}$/);
  const recovery = await web.account.createRecovery({ url: PAGE, email: who.email });
  expect((await told('recovery', recovery.$id)).secret).toEqual(hex);
  const heard = await socket.event();
  expect([...heard.channels].sort()).toEqual(['account', `account.${who.id}`]);
  expect(heard.events).toContain(`users.${who.id}.recovery.${recovery.$id}.create`);
  expect(heard.payload).toMatchObject({ $id: recovery.$id, secret: '' });
  const verification = await who.web.account.createEmailVerification({ url: PAGE });
  expect(await told('verification', verification.$id)).toEqual({ secret: hex, user: who.id });
  const { $id, secret } = await node.users.createToken({ userId: who.id });
  expect(await told('tokens', $id)).toEqual({ user: '', secret });
  const session = await http.post('/account/sessions/token', { userId: who.id, secret }).json<Models.Session>(201);
  expect((await told('sessions', session.$id)).user).toBe(who.id);
});

test('I33 the own account channel hears of labels and tokens without hash and secret', async ({ ann, key, skip }) => {
  if (!server().embedded) return skip('the real server sends both');
  const { users } = key.node;
  const socket = await Socket.on(['account'], ann);
  await users.updateLabels({ userId: ann.id, labels: ['vip'] });
  const labels = await socket.event();
  expect(labels.events).toContain(`users.${ann.id}.update.labels`);
  expect(labels.channels).toContain('account.update');
  expect(labels.payload).toMatchObject({ $id: ann.id, labels: ['vip'] });
  for (const field of ['password', 'hash', 'hashOptions']) expect(labels.payload).not.toHaveProperty(field);
  const token = await users.createToken({ userId: ann.id });
  const created = await socket.event();
  expect(created.events).toContain(`users.${ann.id}.tokens.${token.$id}.create`);
  expect(created.payload).toMatchObject({ $id: token.$id, secret: '' });
});

test('I34 a blocked user hears nothing more, and connects as nobody', async ({ ann, key, skip }) => {
  if (!server().embedded) return skip('the real server goes on');
  const socket = await Socket.on(['account'], ann);
  await key.node.users.updateStatus({ userId: ann.id, status: false });
  expect(await socket.closed).toBeGreaterThanOrEqual(4000);
  const again = new Socket(server(), { headers: { cookie: ann.cookie } });
  const frame = await again.next<{ user: unknown }>('connected').catch(() => undefined);
  expect(frame?.data.user ?? null).toBe(null);
  await refused(BLOCKED, ann.http.get('/account'));
});
