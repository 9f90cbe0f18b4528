/** I: sign-in with a code, link or token, limits, both browser SDK releases (contract part 2, sections 4, 5 and 10). */
import { IdTokenProvider } from 'appwrite';
import type { Models } from 'node-appwrite';
import { absent, BAD_TOKEN, BLOCKED, error, invalid, LIMITED, MISSING_SCOPE, NO_USER, refused } from './expect.ts';
import { inOneWindow, timeMachine } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { expect, test } from './kit.ts';
import { codeOf, linkOf, mailTo, parameter, proofTo } from './mailbox.ts';
import { fresh, freshEmail } from './names.ts';
import { account, forget, guestOf, keyOf, NEW_PASSWORD, PASSWORD, person, server, signedIn } from './people.ts';
import { browser, node } from './sdk.ts';
import type { Server } from './server.ts';

const PAGE = 'http://localhost:5173/in';

function newcomer(where: Server): { userId: string; email: string } {
  const userId = fresh('user');
  forget(userId, where);
  return { userId, email: freshEmail() };
}

const lasts = ({ expire }: Models.Token, seconds: number, since: number) =>
  expect(Math.abs(Date.parse(expire) - since - seconds * 1000)).toBeLessThan(60_000);

const use = (userId: string, secret: string, where = server()) =>
  guestOf(where).http.post('/account/sessions/token', { userId, secret });

const behind = (answer: HttpResponse, where = server()): Promise<Models.User> =>
  signedIn(answer, where).get('/account').json<Models.User>();

test('I12 a code for a new address makes its user, and signs in once', async ({ mailing }) => {
  const { userId, email } = newcomer(mailing);
  const since = Date.now();
  const token = await guestOf(mailing).http.post('/account/tokens/email', { userId, email }).json<Models.Token>(201);
  expect(token).toMatchObject({ userId, secret: '', phrase: '' });
  lasts(token, 900, since);
  const made = await keyOf(mailing).http.get(`/users/${userId}`).json();
  expect(made).toMatchObject({ name: '', email, emailVerification: false, password: '' });
  const mail = await mailTo(email);
  expect(mail.subject).toMatch(/^OTP for .* Login$/);
  const code = codeOf(mail);
  expect(mail.html).toContain(code);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const { id: other } = await account(mailing);
  const stolen = [other, fresh('nobody')].map((id) => use(id, code, mailing));
  await refused(BAD_TOKEN, use(userId, wrong, mailing), ...stolen);
  const answer = await use(userId, code, mailing).is(201);
  expect(answer.json()).toMatchObject({ userId, provider: 'token', providerUid: '', factors: ['email'], secret: '' });
  expect(await behind(answer, mailing)).toMatchObject({ $id: userId, emailVerification: true });
  await refused(BAD_TOKEN, use(userId, code, mailing));
});

test('I13 a code for a known address is its owner’s; its phrase is in answer and mail', async ({ mailing }) => {
  const { id, email } = await account(mailing);
  const body = { userId: fresh('other'), email: email.toUpperCase(), phrase: true };
  const token = await guestOf(mailing).http.post('/account/tokens/email', body).json<Models.Token>(201);
  expect(token).toMatchObject({ userId: id, phrase: expect.stringMatching(/^[A-Z][a-z]+ [a-z]+$/) });
  const mail = await mailTo(email);
  for (const part of [mail.text, mail.html]) expect(part).toContain(token.phrase);
  await refused(NO_USER, keyOf(mailing).http.get(`/users/${body.userId}`));
});

test('I14 a code asks for a good address and id; a key sees it; who is signed in may ask', async ({ mailing }) => {
  const { userId, email } = newcomer(mailing);
  const ask = (body: Record<string, unknown>, by = guestOf(mailing).http) => by.post('/account/tokens/email', body);
  await refused(invalid('email'), ask({ userId, email: 'nobody' }));
  await refused(invalid('userId'), ask({ userId: '.bad', email }));
  await refused(absent('userId'), ask({ email }));
  const seen = await ask({ userId, email }, keyOf(mailing).http).json<Models.Token>(201);
  expect(seen.secret).toBe(codeOf(await mailTo(email)));
  const who = await person(mailing);
  await ask({ userId, email }, who.http).is(201);
  const taken = await ask({ userId: who.id, email: freshEmail() }).is(409, 500);
  if (mailing.embedded) await refused(error(409, 'user_already_exists'), taken);
});

test('I15 a magic link is good for an hour and signs in once', async ({ mailing }) => {
  const { http } = guestOf(mailing);
  const { userId, email } = newcomer(mailing);
  const since = Date.now();
  const body = { userId, email, url: `${PAGE}?a=1#top` };
  const token = await http.post('/account/tokens/magic-url', body).json<Models.Token>(201);
  lasts(token, 3600, since);
  const mail = await mailTo(email);
  expect(mail.subject).toMatch(/ Login$/);
  const link = linkOf(mail);
  expect(link.hash).toBe('#top');
  const secret = parameter(link, 'secret');
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  const query = { a: '1', userId, secret, expire: token.expire, project: mailing.projectId };
  expect(Object.fromEntries(link.searchParams)).toEqual(query);
  expect(mail.text).toContain(secret);
  const answer = await http.put('/account/sessions/magic-url', { userId, secret }).is(201);
  expect(answer.json()).toMatchObject({ provider: 'magic-url', factors: ['email'] });
  expect(await behind(answer, mailing)).toMatchObject({ $id: userId, emailVerification: true });
  await refused(BAD_TOKEN, http.put('/account/sessions/magic-url', { userId, secret }));
});

test('I16 the older path of magic links is the same, and their secret is a token as others', async ({ mailing }) => {
  const { userId, email } = newcomer(mailing);
  const ask = (body: Record<string, unknown>) =>
    guestOf(mailing).http.post('/account/sessions/magic-url', { userId, email, url: PAGE, ...body });
  await refused(invalid('url'), ask({ url: 'https://evil.test/' }));
  await refused(invalid('email'), ask({ email: 'nobody' }));
  await ask({}).is(201);
  const session = await use(userId, (await proofTo(email)).secret, mailing).json(201);
  expect(session).toMatchObject({ provider: 'magic-url', factors: ['email'] });
});

test('I17 a key makes tokens for users, who sign in with them', async ({ bob, guest, key }) => {
  const { id } = await account();
  const make = (body: Record<string, unknown>, userId = id, by = key.http) => by.post(`/users/${userId}/tokens`, body);
  const since = Date.now();
  const token = await make({}).json<Models.Token>(201);
  expect(token.secret).toMatch(/^[0-9a-f]{6}$/);
  lasts(token, 900, since);
  for (const length of [4, 128])
    expect((await key.node.users.createToken({ userId: id, length, expire: 60 })).secret).toHaveLength(length);
  lasts(await make({ expire: 31_536_000 }).json<Models.Token>(201), 31_536_000, Date.now());
  const between = 'Value must be a valid range between';
  await refused(invalid('length', `${between} 4 and 128`), make({ length: 3 }), make({ length: 129 }));
  await refused(invalid('expire', `${between} 60 and 31,536,000`), make({ expire: 59 }), make({ expire: 31_536_001 }));
  await refused(NO_USER, make({}, fresh('nobody')));
  await refused(MISSING_SCOPE, make({}, id, bob.http), make({}, id, guest.http));
  const body = { userId: id, secret: token.secret };
  await refused(error(401, 'user_session_already_exists'), bob.http.post('/account/sessions/token', body));
  const answer = await use(id, token.secret).is(201);
  expect(answer.json()).toMatchObject({ provider: 'token', factors: ['token'], secret: '' });
  expect((await behind(answer)).emailVerification).toBe(false);
  const { secret } = await make({}).json<Models.Token>(201);
  const byKey = await key.http.post('/account/sessions/token', { userId: id, secret }).json<Models.Session>(201);
  expect((await node(server(), { session: byKey.secret }).account.get()).$id).toBe(id);
});

test('I18 a token whose time is over is no token', async () => {
  const { server: where, pass } = await timeMachine();
  const { id } = await account(where);
  const make = async (expire: number) => (await keyOf(where).node.users.createToken({ userId: id, expire })).secret;
  const [short, long] = [await make(60), await make(900)];
  await pass(62);
  await refused(BAD_TOKEN, use(id, short, where));
  await use(id, long, where).is(201);
});

test('I19 a token is good for what it was made for alone', async ({ mailing }) => {
  const { http } = guestOf(mailing);
  const { id: userId, email } = await account(mailing);
  await http.post('/account/recovery', { email, url: PAGE }).is(201);
  const recovery = await proofTo(email);
  const custom = await keyOf(mailing).node.users.createToken({ userId, length: 64 });
  await refused(
    BAD_TOKEN,
    use(userId, recovery.secret, mailing),
    http.put('/account/sessions/magic-url', recovery),
    http.put('/account/verifications/email', recovery),
    http.put('/account/recovery', { userId, secret: custom.secret, password: PASSWORD }),
    http.put('/account/verifications/email', { userId, secret: custom.secret }),
  );
});

test('I20 a blocked user is not let in by a token', async ({ key }) => {
  const { id } = await account();
  const { secret } = await key.node.users.createToken({ userId: id });
  await key.http.patch(`/users/${id}/status`, { status: false }).is(200);
  const answer = await use(id, secret);
  if (answer.status !== 201 || server().embedded) return refused(BLOCKED, answer);
  await refused(BLOCKED, signedIn(answer).get('/account'));
});

async function times(count: number, status: number, ask: () => Promise<HttpResponse>): Promise<void> {
  for (const answer of await Promise.all(Array.from({ length: count }, ask))) answer.is(status);
}

test('I21 mail flows have limits by address, place and user; a sign-in resets its own', async ({ limitedMailing }) => {
  const where = limitedMailing;
  const { http } = guestOf(where);
  await inOneWindow(3600, 45, async () => {
    const [{ id: userId }, other] = [await account(where), await account(where)];
    const recover = (userId: string) => http.put('/account/recovery', { userId, secret: 'x', password: PASSWORD });
    await times(10, 401, () => recover(userId));
    await refused(LIMITED, recover(userId));
    await recover(other.id).is(401);
    // Requests that fail validation count too, so the test sends no email.
    const code = () => http.post('/account/tokens/email', { userId: '.bad', email: freshEmail() });
    await times(10, 400, code);
    await refused(LIMITED, code());
    const magic = () => http.post('/account/tokens/magic-url', { userId: '.bad', email: freshEmail(), url: PAGE });
    await times(60, 400, magic);
    const older = http.post('/account/sessions/magic-url', { userId: fresh('u'), email: freshEmail() });
    await refused(LIMITED, magic(), older);
    const { id, http: own } = await person(where);
    const verify = () => http.put('/account/verification', { userId: id, secret: 'x' });
    await times(5, 401, verify);
    await times(5, 400, () => own.post('/account/verifications/email', { url: '' }));
    await refused(LIMITED, verify(), own.post('/account/verifications/email', { url: PAGE }));
    const wrong = () => use(userId, 'wrong', where);
    const wrongLink = () => http.put('/account/sessions/magic-url', { userId, secret: 'wrong' });
    const { secret } = await keyOf(where).node.users.createToken({ userId });
    await times(5, 401, wrong);
    await times(4, 401, wrongLink);
    await use(userId, secret, where).is(201);
    await times(10, 401, wrong);
    await refused(LIMITED, wrong(), wrongLink());
  });
});

test('I31 SDK 28 signs in and asks for its account; what only newer servers have is 404', async () => {
  const { id, email } = await account();
  const { account: own, teams } = browser(server());
  const session = await own.createEmailPasswordSession({ email, password: PASSWORD });
  expect(session.userId).toBe(id);
  expect(await own.get()).toMatchObject({ $id: id, email, mfa: false });
  expect((await own.listSessions()).sessions.map(({ current }) => current)).toEqual([true]);
  expect(await own.listMFAFactors()).toEqual({ totp: false, phone: false, email: false, recoveryCode: false });
  expect(await teams.list()).toMatchObject({ total: 0, teams: [] });
  await refused(
    error(404),
    own.createRecoveryOTP({ email }),
    own.updateRecoveryOTP({ userId: id, secret: '123456', password: PASSWORD }),
    own.createEmailVerificationOTP(),
    own.updateEmailVerificationOTP({ userId: id, secret: '123456' }),
    own.createIdTokenSession({ provider: IdTokenProvider.Google, idToken: 'x' }),
  );
});

test('I32 SDK 27 and 28 go every way by mail from end to end', async ({ mailing }) => {
  for (const release of [27, 28] as const) {
    const { account: own } = browser(mailing, { release });
    const { users } = keyOf(mailing).node;
    const { id, email } = await account(mailing);
    const out = () => own.deleteSession({ sessionId: 'current' });
    await own.createRecovery({ email, url: PAGE });
    await own.updateRecovery({ ...(await proofTo(email)), password: NEW_PASSWORD });
    await own.createEmailPasswordSession({ email, password: NEW_PASSWORD });
    await users.updateEmailVerification({ userId: id, emailVerification: false });
    await own.createEmailVerification({ url: PAGE });
    await own.updateEmailVerification(await proofTo(email));
    expect((await own.get()).emailVerification).toBe(true);
    await out();
    const address = freshEmail();
    const { userId } = await own.createEmailToken({ userId: fresh('user'), email: address });
    forget(userId, mailing);
    const code = codeOf(await mailTo(address));
    expect((await own.createSession({ userId, secret: code })).factors).toEqual(['email']);
    expect((await own.get()).$id).toBe(userId);
    await out();
    for (const signIn of ['createSession', 'updateMagicURLSession'] as const) {
      await own.createMagicURLToken({ userId, email: address, url: PAGE });
      expect((await own[signIn](await proofTo(address))).provider).toBe('magic-url');
      await out();
    }
    const { secret } = await users.createToken({ userId });
    expect((await own.createSession({ userId, secret })).provider).toBe('token');
    expect((await own.get()).$id).toBe(userId);
  }
});
