/** I: password recovery by a mailed link (contract, part 2, 1 to 3). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { DATE, GUEST_WITHOUT_ACCOUNT, invalid, refused } from './expect.ts';
import { mailServer, silentServer } from './facilities.ts';
import { line } from './line.ts';
import { linkOf, mailTo, noMailTo, parameter } from './mailbox.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, guest, PASSWORD, person, signIn } from './people.ts';
import type { Server } from './server.ts';

const URL_OF_PAGE = 'http://localhost:5173/reset';
const NEW_PASSWORD = 'another-horse-2';

const INVALID_TOKEN = { code: 401, type: 'user_invalid_token', message: 'Invalid token passed in the request.' };
const NO_MAIL = { code: 503, type: 'general_smtp_disabled' };
const UNKNOWN = { code: 404, type: 'user_not_found' };

/** Requests a recovery mail; returns the parameters of its link. */
async function recover(where: Server, email: string): Promise<{ userId: string; secret: string }> {
  (await guest(where).http.post('/account/recovery', { email, url: URL_OF_PAGE })).is(201);
  const link = linkOf(await mailTo(email));
  return { userId: parameter(link, 'userId'), secret: parameter(link, 'secret') };
}

line(
  'I01',
  'a recovery mail links to the page, keeps its query and fragment, and is good for an hour',
  async (context) => {
    const where = await mailServer(context);
    const { id, email } = await account(where);
    const url = `${URL_OF_PAGE}?from=mail&x=%20y#part`;
    const before = Date.now();
    const answer = await guest(where).http.post('/account/recovery', { email: email.toUpperCase(), url });
    const token = answer.is(201).json<Models.Token>();
    expect(token).toEqual({
      $id: expect.any(String),
      $createdAt: expect.stringMatching(DATE),
      userId: id,
      secret: '',
      expire: expect.stringMatching(DATE),
      phrase: '',
    });
    expect(Math.abs(Date.parse(token.expire) - before - 3_600_000)).toBeLessThan(60_000);
    const mail = await mailTo(email);
    const link = linkOf(mail);
    expect(`${link.origin}${link.pathname}${link.hash}`).toBe(`${URL_OF_PAGE}#part`);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      from: 'mail',
      x: ' y',
      userId: id,
      secret: expect.stringMatching(/^[0-9a-f]{256}$/),
      expire: token.expire,
    });
    expect(mail.subject).toMatch(/^Password Reset for ./);
    expect(mail.from?.address).toMatch(/@/);
    expect(mail.replyTo?.[0]?.address).toBe(mail.from?.address);
    expect(mail.html).not.toMatch(/<img|src=|url\(/i);
  },
);

line('I02', 'recovery refuses unknown addresses and pages that are not the project’s', async (context) => {
  const where = await mailServer(context);
  const { http, web } = guest(where);
  const { email } = await account(where);
  const ask = (body: { email?: string; url?: string }) => http.post('/account/recovery', body);
  await refused(
    UNKNOWN,
    ask({ email: freshEmail(), url: URL_OF_PAGE }),
    web.account.createRecovery({ email: freshEmail(), url: URL_OF_PAGE }),
  );
  await refused(invalid('email'), ask({ email: 'nobody', url: URL_OF_PAGE }));
  const unregistered = (host: string) =>
    invalid(
      'url',
      `Invalid URI. Register your new client (${host}) as a new Web platform on your project console dashboard`,
    );
  await refused(
    unregistered('evil.test'),
    ask({ email, url: 'https://evil.test/reset' }),
    admin(where).http.post('/account/recovery', { email, url: 'https://evil.test/reset' }),
    web.account.createRecovery({ email, url: 'https://evil.test/reset' }),
  );
  await refused(
    { code: 400, type: 'general_argument_invalid', message: /^Invalid `url` param: Invalid URI\./ },
    ...['ftp://localhost/x', 'javascript:alert(1)', '/reset', '', 'http://localhost@evil.test/'].map((url) =>
      ask({ email, url }),
    ),
  );
  await refused(
    { code: 400, type: 'general_argument_invalid', message: 'Param "url" is not optional.' },
    ask({ email }),
  );
  await noMailTo(email);
});

line('I03', 'a recovery that is refused leaves the secret good', async (context) => {
  const where = await mailServer(context);
  const { http, web } = guest(where);
  const [own, other] = [await account(where), await account(where)];
  const { userId, secret } = await recover(where, own.email);
  const put = (body: Record<string, unknown>) =>
    http.put('/account/recovery', { userId, secret, password: NEW_PASSWORD, ...body });
  await refused(
    INVALID_TOKEN,
    put({ secret: 'f'.repeat(256) }),
    put({ userId: other.id }),
    web.account.updateRecovery({ userId: other.id, secret, password: NEW_PASSWORD }),
  );
  await refused(UNKNOWN, put({ userId: fresh('nobody') }));
  await refused({ code: 400, type: 'general_argument_invalid' }, put({ password: 'short' }), put({ secret: '' }));
  (await put({})).is(200);
});

line('I04', 'recovery sets the password, proves the address, and ends all sessions, once', async (context) => {
  const where = await mailServer(context);
  const who = await account(where);
  const old = await signIn(where, who);
  const { userId, secret } = await recover(where, who.email);
  const body = { userId, secret, password: NEW_PASSWORD };
  const answer = (await guest(where).http.put('/account/recovery', body)).is(200);
  expect(answer.json()).toMatchObject({ userId, secret: '' });
  expect(answer.cookies).toEqual([]);
  await refused(GUEST_WITHOUT_ACCOUNT, old.http.get('/account'));
  const login = (password: string) => guest(where).http.post('/account/sessions/email', { email: who.email, password });
  await refused({ code: 401, type: 'user_invalid_credentials' }, login(PASSWORD));
  const { http } = await signIn(where, { ...who, password: NEW_PASSWORD });
  expect((await http.get('/account')).is(200).json<Models.User>().emailVerification).toBe(true);
  await refused(INVALID_TOKEN, guest(where).http.put('/account/recovery', body));
});

line('I05', 'of two recovery mails the newer one’s link works', async (context) => {
  const where = await mailServer(context);
  const { email } = await account(where);
  const [older, newer] = [await recover(where, email), await recover(where, email)];
  expect(older.secret).not.toBe(newer.secret);
  (await guest(where).http.put('/account/recovery', { ...newer, password: NEW_PASSWORD })).is(200);
});

line('I06', 'a blocked user gets no recovery mail', async (context) => {
  const where = await mailServer(context);
  const { id, email } = await account(where);
  (await admin(where).http.patch(`/users/${id}/status`, { status: false })).is(200);
  await refused(
    { code: 403, type: 'user_blocked' },
    guest(where).http.post('/account/recovery', { email, url: URL_OF_PAGE }),
    guest(where).web.account.createRecovery({ email, url: URL_OF_PAGE }),
  );
});

line(
  'I07',
  'without SMTP whatever needs a mail is 503, after the parameters and before any look-up',
  async (context) => {
    const where = await silentServer(context);
    const { http, web } = guest(where);
    const { email, http: own } = await person(where);
    const [url, userId, nobody] = [URL_OF_PAGE, fresh('user'), freshEmail()];
    await refused(
      NO_MAIL,
      http.post('/account/recovery', { email, url }),
      http.post('/account/recovery', { email: nobody, url }),
      own.post('/account/verifications/email', { url }),
      http.post('/account/tokens/email', { userId, email: nobody }),
      http.post('/account/tokens/magic-url', { userId, email: nobody, url }),
      web.account.createEmailToken({ userId, email: nobody }),
      web.account.createMagicURLToken({ userId, email: nobody, url }),
    );
    await refused(UNKNOWN, admin(where).http.get(`/users/${userId}`));
    await refused(
      { code: 400, type: 'general_argument_invalid' },
      http.post('/account/recovery', { email: 'nobody', url }),
      own.post('/account/verifications/email', { url: '' }),
      http.post('/account/tokens/email', { userId, email: 'nobody' }),
      http.post('/account/tokens/magic-url', { userId: '', email, url }),
    );
  },
);

line('I22', 'mails speak the language of X-Appwrite-Locale, whatever Accept-Language says', async (context) => {
  const where = await mailServer(context);
  const { email } = await account(where);
  const subjectWith = async (headers: Record<string, string>) => {
    const body = { email, url: URL_OF_PAGE };
    (await guest(where).http.post('/account/recovery', body, { headers })).is(201);
    return (await mailTo(email)).subject;
  };
  expect(await subjectWith({ 'x-appwrite-locale': 'de' })).toMatch(/^Kennwort zurücksetzen/);
  expect(await subjectWith({ 'accept-language': 'de' })).toMatch(/^Password Reset for /);
  expect(await subjectWith({ 'x-appwrite-locale': 'xx' })).toMatch(/^Password Reset for /);
});
