/** I: password recovery and address verification by emailed link (contract part 2, sections 1 to 3). */
import type { Models } from 'node-appwrite';
import {
  absent,
  BAD_TOKEN,
  BLOCKED,
  DATE,
  error,
  INVALID,
  invalid,
  MISSING_SCOPE,
  NO_ACCOUNT,
  NO_USER,
  refused,
  UNREGISTERED,
  WRONG_PASSWORD,
} from './expect.ts';
import { silentServer } from './facilities.ts';
import type { Http } from './http.ts';
import { expect, test } from './kit.ts';
import { linkOf, mailTo, noMailTo, parameter, proofTo } from './mailbox.ts';
import { fresh, freshEmail } from './names.ts';
import { account, anonymous, forget, guestOf, keyOf, logIn, NEW_PASSWORD, PASSWORD, person, signIn } from './people.ts';
import { collection, document } from './schema.ts';
import type { Server } from './server.ts';
import { teamOf } from './teams.ts';

const PAGE = 'http://localhost:5173/reset';

async function recover(where: Server, email: string): Promise<{ userId: string; secret: string }> {
  await guestOf(where).http.post('/account/recovery', { email, url: PAGE }).is(201);
  return proofTo(email);
}

test('I01 a recovery mail links to the page with its query and lasts an hour', async ({ mailing }) => {
  const { id, email } = await account(mailing);
  const url = `${PAGE}?from=mail&x=%20y#part`;
  const before = Date.now();
  const body = { email: email.toUpperCase(), url };
  const token = await guestOf(mailing).http.post('/account/recovery', body).json<Models.Token>(201);
  const $id = expect.any(String);
  expect(token).toEqual({ $id, $createdAt: DATE, userId: id, secret: '', expire: DATE, phrase: '' });
  expect(Math.abs(Date.parse(token.expire) - before - 3_600_000)).toBeLessThan(60_000);
  const mail = await mailTo(email);
  const link = linkOf(mail);
  expect(`${link.origin}${link.pathname}${link.hash}`).toBe(`${PAGE}#part`);
  const secret = expect.stringMatching(/^[0-9a-f]{256}$/);
  const query = { from: 'mail', x: ' y', userId: id, secret, expire: token.expire };
  expect(Object.fromEntries(link.searchParams)).toEqual(query);
  expect(mail.subject).toMatch(/^Password Reset for ./);
  expect(mail.from?.address).toMatch(/@/);
  expect(mail.replyTo?.[0]?.address).toBe(mail.from?.address);
  expect(mail.html).not.toMatch(/<img|src=|url\(/i);
});

test('I02 I06 recovery refuses unknown addresses, foreign pages and blocked users', async ({ mailing }) => {
  const { http } = guestOf(mailing);
  const { id, email } = await account(mailing);
  const ask = (url: string, address = email, by = http) => by.post('/account/recovery', { email: address, url });
  await refused(NO_USER, ask(PAGE, freshEmail()));
  await refused(invalid('email'), ask(PAGE, 'nobody'));
  const evil = 'https://evil.test/reset';
  await refused(invalid('url', UNREGISTERED), ask(evil), ask(evil, email, keyOf(mailing).http));
  const faults = ['ftp://localhost/x', 'javascript:alert(1)', '/reset', '', 'http://localhost@evil.test/'];
  await refused(invalid('url', /^Invalid `url` param: Invalid URI\./), ...faults.map((url) => ask(url)));
  await refused(absent('url'), http.post('/account/recovery', { email }));
  await keyOf(mailing).http.patch(`/users/${id}/status`, { status: false }).is(200);
  await refused(BLOCKED, ask(PAGE));
  await noMailTo(email);
});

test('I03 a recovery that is refused leaves the secret good', async ({ mailing }) => {
  const [own, other] = [await account(mailing), await account(mailing)];
  const proof = await recover(mailing, own.email);
  const put = (body: Record<string, unknown>) =>
    guestOf(mailing).http.put('/account/recovery', { ...proof, password: NEW_PASSWORD, ...body });
  await refused(BAD_TOKEN, put({ secret: 'f'.repeat(256) }), put({ userId: other.id }));
  await refused(NO_USER, put({ userId: fresh('nobody') }));
  await refused(INVALID, put({ password: 'short' }), put({ secret: '' }));
  await put({}).is(200);
});

test('I04 recovery sets the password, proves the address, and ends all sessions, once', async ({ mailing }) => {
  const who = await account(mailing);
  const old = await signIn(who);
  const proof = await recover(mailing, who.email);
  const use = () => guestOf(mailing).http.put('/account/recovery', { ...proof, password: NEW_PASSWORD });
  const answer = await use().is(200);
  expect(answer.json()).toMatchObject({ userId: who.id, secret: '' });
  expect(answer.cookies).toEqual([]);
  await refused(NO_ACCOUNT, old.http.get('/account'));
  await refused(WRONG_PASSWORD, logIn(who.email, PASSWORD, mailing));
  const { http } = await signIn({ ...who, password: NEW_PASSWORD });
  expect((await http.get('/account').json<Models.User>()).emailVerification).toBe(true);
  await refused(BAD_TOKEN, use());
});

test('I05 of two recovery mails the newer one’s link works', async ({ mailing }) => {
  const { email } = await account(mailing);
  const [older, newer] = [await recover(mailing, email), await recover(mailing, email)];
  expect(older.secret).not.toBe(newer.secret);
  const { http } = guestOf(mailing);
  await http.put('/account/recovery', { ...newer, password: NEW_PASSWORD }).is(200);
});

test('A48 I07 without SMTP what needs a mail is 503, after the parameters and before any look-up', async ({ skip }) => {
  const where = await silentServer(skip);
  const { http } = guestOf(where);
  const ann = await person(where);
  const { email, http: own } = ann;
  const { memberships } = await teamOf(ann);
  const userId = fresh('user');
  const ask = (email: string, userId: string, url: string) => [
    own.post(memberships, { email, roles: [], url }),
    http.post('/account/recovery', { email, url }),
    own.post('/account/verifications/email', { url }),
    http.post('/account/tokens/email', { userId, email }),
    http.post('/account/tokens/magic-url', { userId, email, url }),
  ];
  const known = http.post('/account/recovery', { email, url: PAGE });
  const disabled = error(503, 'general_smtp_disabled');
  await refused({ ...disabled, message: 'SMTP Disabled' }, known);
  await refused(disabled, ...ask(freshEmail(), userId, PAGE));
  await refused(NO_USER, keyOf(where).http.get(`/users/${userId}`));
  await refused(INVALID, ...ask('nobody', '', ''));
  const invited = await keyOf(where).http.post(memberships, { email: freshEmail(), roles: [] }).json(201);
  expect(invited).toMatchObject({ confirm: true });
  forget(String(invited.userId), where);
});

test('I22 mails speak the language of X-Appwrite-Locale, whatever Accept-Language says', async ({ mailing }) => {
  const { email } = await account(mailing);
  for (const [headers, subject] of [
    [{ 'x-appwrite-locale': 'de' }, /^Kennwort zurücksetzen/],
    [{ 'accept-language': 'de' }, /^Password Reset for /],
    [{ 'x-appwrite-locale': 'xx' }, /^Password Reset for /],
  ] as const) {
    await guestOf(mailing).http.post('/account/recovery', { email, url: PAGE }, { headers }).is(201);
    expect((await mailTo(email)).subject).toMatch(subject);
  }
});

const VERIFICATIONS = '/account/verifications/email';

/** Requests a verification email for a new user; returns the user and the link's parameters. */
async function verification(where: Server, path = VERIFICATIONS) {
  const who = await person(where);
  const token = await who.http.post(path, { url: PAGE }).json<Models.Token>(201);
  expect(token).toMatchObject({ userId: who.id, secret: '', phrase: '' });
  const mail = await mailTo(who.email);
  expect(mail.subject).toMatch(/^Account Verification for ./);
  const link = linkOf(mail);
  expect(parameter(link, 'expire')).toBe(token.expire);
  return { who, proof: { userId: parameter(link, 'userId'), secret: parameter(link, 'secret') } };
}

const isVerified = async (http: Http) => (await http.get('/account').json<Models.User>()).emailVerification;

test('I08 a user verifies his address by a link that anybody may follow, once', async ({ mailing }) => {
  const [guest, key] = [guestOf(mailing).http, keyOf(mailing).http];
  const body = { url: PAGE };
  await refused(MISSING_SCOPE, guest.post(VERIFICATIONS, body), key.post(VERIFICATIONS, body));
  const { who, proof } = await verification(mailing);
  expect(proof.secret).toMatch(/^[0-9a-f]{256}$/);
  await refused({ ...MISSING_SCOPE, message: /missing scopes \(\["public"\]\)$/ }, key.put(VERIFICATIONS, proof));
  expect(await guest.put(VERIFICATIONS, proof).json()).toMatchObject({ userId: who.id, secret: '' });
  expect(await isVerified(who.http)).toBe(true);
  await refused(BAD_TOKEN, guest.put(VERIFICATIONS, proof));
  const already = error(409, 'user_email_already_verified', 'User email is already verified');
  await refused(already, who.http.post(VERIFICATIONS, body));
});

test('I09 the older path is the same, also with another user’s session', async ({ mailing }) => {
  const [other, alias] = [await person(mailing), '/account/verification'];
  const { who, proof } = await verification(mailing, alias);
  const put = (changes: Record<string, string>, by = guestOf(mailing).http) => by.put(alias, { ...proof, ...changes });
  await refused(BAD_TOKEN, put({ secret: 'f'.repeat(256) }), put({ userId: other.id }));
  await refused(NO_USER, put({ userId: fresh('nobody') }));
  await put({}, other.http).is(200);
  expect([await isVerified(who.http), await isVerified(other.http)]).toEqual([true, false]);
});

test('I10 a user without an address has none to verify', async ({ mailing }) => {
  const { http } = await anonymous(mailing);
  const rule = error(400, 'user_email_not_found', 'User email could not be found.');
  await refused(rule, http.post(VERIFICATIONS, { url: PAGE }));
});

test('I11 a verification by key acts on the next request, both ways', async ({ ann, key: { http, node } }) => {
  const where = await collection({ documentSecurity: true });
  const roles = ['users/verified', `user:${ann.id}/verified`];
  const rows = await Promise.all(roles.map((role) => document(where, {}, [`read("${role}")`])));
  const reads = async (status: number) => {
    for (const { $id } of rows) await ann.http.get(where.document($id)).is(status);
  };
  const verify = (emailVerification: unknown, id = ann.id) =>
    http.patch(`/users/${id}/verification`, { emailVerification });
  await reads(404);
  expect((await verify(true).json<Models.User>()).emailVerification).toBe(true);
  await reads(200);
  const sdk = await node.users.updateEmailVerification({ userId: ann.id, emailVerification: false });
  expect(sdk.emailVerification).toBe(false);
  await reads(404);
  await refused(invalid('emailVerification'), verify('maybe'));
  await refused(NO_USER, verify(true, fresh('nobody')));
});
