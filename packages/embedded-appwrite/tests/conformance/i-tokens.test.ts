/** I: sign-in with a code, a link or a token (contract, part 2, 4). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { invalid, MISSING_SCOPE, refused } from './expect.ts';
import { mailServer, timeMachine } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line, server } from './line.ts';
import { codeOf, linkOf, mailTo, parameter } from './mailbox.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, guest, PASSWORD, person } from './people.ts';
import { node } from './sdk.ts';
import type { Server } from './server.ts';

const PAGE = 'http://localhost:5173/in';
const INVALID_TOKEN = { code: 401, type: 'user_invalid_token', message: 'Invalid token passed in the request.' };

/** Returns an unused id and address; removes the user after the tests. */
function newcomer(where: Server): { userId: string; email: string } {
  const userId = fresh('user');
  later(() => admin(where).http.delete(`/users/${userId}`));
  return { userId, email: freshEmail() };
}

const lasts = ({ expire }: Models.Token, seconds: number, since: number) =>
  expect(Math.abs(Date.parse(expire) - since - seconds * 1000)).toBeLessThan(60_000);

const use = (where: Server, userId: string, secret: string): Promise<HttpResponse> =>
  guest(where).http.post('/account/sessions/token', { userId, secret });

/** Returns the user of a sign-in's cookies. */
async function behind(where: Server, answer: HttpResponse): Promise<Models.User> {
  const cookie = answer.cookie(`a_session_${where.projectId}`.toLowerCase());
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
  return (await guest(where).http.get('/account', { headers })).is(200).json<Models.User>();
}

line('I12', 'a code for a new address makes its user, and signs in once', async (context) => {
  const where = await mailServer(context);
  const { userId, email } = newcomer(where);
  const since = Date.now();
  const token = (await guest(where).http.post('/account/tokens/email', { userId, email })).is(201).json<Models.Token>();
  expect(token).toMatchObject({ userId, secret: '', phrase: '' });
  lasts(token, 900, since);
  const made = (await admin(where).http.get(`/users/${userId}`)).is(200).json<Models.User>();
  expect(made).toMatchObject({ name: '', email, emailVerification: false, password: '' });
  const mail = await mailTo(email);
  expect(mail.subject).toMatch(/^OTP for .* Login$/);
  const code = codeOf(mail);
  expect(mail.html).toContain(code);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const other = await account(where);
  await refused(
    INVALID_TOKEN,
    use(where, userId, wrong),
    use(where, other.id, code),
    use(where, fresh('nobody'), code),
    guest(where).web.account.createSession({ userId, secret: wrong }),
  );
  const answer = (await use(where, userId, code)).is(201);
  expect(answer.json()).toMatchObject({ userId, provider: 'token', providerUid: '', factors: ['email'], secret: '' });
  expect(answer.cookies.map(({ name }) => name)).toContain(`a_session_${where.projectId}`.toLowerCase());
  expect(await behind(where, answer)).toMatchObject({ $id: userId, emailVerification: true });
  await refused(INVALID_TOKEN, use(where, userId, code));
});

line(
  'I13',
  'a code for a known address is its owner’s, whatever id is asked for; a phrase is in answer and mail',
  async (context) => {
    const where = await mailServer(context);
    const { id, email } = await account(where);
    const body = { userId: fresh('other'), email: email.toUpperCase(), phrase: true };
    const token = (await guest(where).http.post('/account/tokens/email', body)).is(201).json<Models.Token>();
    expect(token.userId).toBe(id);
    expect(token.phrase).toMatch(/^[A-Z][a-z]+ [a-z]+$/);
    const mail = await mailTo(email);
    for (const part of [mail.text, mail.html]) expect(part).toContain(token.phrase);
    await refused({ code: 404, type: 'user_not_found' }, admin(where).http.get(`/users/${body.userId}`));
  },
);

line('I14', 'a code asks for a good address and id; a key sees it; who is signed in may ask', async (context) => {
  const where = await mailServer(context);
  const { http } = guest(where);
  const { userId, email } = newcomer(where);
  const ask = (body: Record<string, unknown>) => http.post('/account/tokens/email', body);
  await refused(invalid('email'), ask({ userId, email: 'nobody' }));
  await refused(invalid('userId'), ask({ userId: '.bad', email }));
  await refused({ code: 400, message: 'Param "userId" is not optional.' }, ask({ email }));
  const seen = (await admin(where).http.post('/account/tokens/email', { userId, email })).is(201).json<Models.Token>();
  expect(seen.secret).toBe(codeOf(await mailTo(email)));
  const who = await person(where);
  (await who.http.post('/account/tokens/email', { userId, email })).is(201);
  const taken = await ask({ userId: who.id, email: freshEmail() });
  if (where.embedded) await refused({ code: 409, type: 'user_already_exists' }, Promise.resolve(taken));
  else taken.is(409, 500);
});

line('I15', 'a magic link is good for an hour and signs in once', async (context) => {
  const where = await mailServer(context);
  const { userId, email } = newcomer(where);
  const since = Date.now();
  const asked = await guest(where).http.post('/account/tokens/magic-url', { userId, email, url: `${PAGE}?a=1#top` });
  const token = asked.is(201).json<Models.Token>();
  lasts(token, 3600, since);
  const mail = await mailTo(email);
  expect(mail.subject).toMatch(/ Login$/);
  const link = linkOf(mail);
  expect(link.hash).toBe('#top');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    a: '1',
    userId,
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    expire: token.expire,
    project: where.projectId,
  });
  expect(mail.text).toContain(parameter(link, 'secret'));
  const body = { userId, secret: parameter(link, 'secret') };
  const answer = (await guest(where).http.put('/account/sessions/magic-url', body)).is(201);
  expect(answer.json()).toMatchObject({ provider: 'magic-url', factors: ['email'] });
  expect(await behind(where, answer)).toMatchObject({ $id: userId, emailVerification: true });
  await refused(INVALID_TOKEN, guest(where).http.put('/account/sessions/magic-url', body));
});

line('I16', 'the older path of magic links is the same, and their secret is a token as others', async (context) => {
  const where = await mailServer(context);
  const { http } = guest(where);
  const { userId, email } = newcomer(where);
  const ask = (body: Record<string, unknown>) =>
    http.post('/account/sessions/magic-url', { userId, email, url: PAGE, ...body });
  await refused(invalid('url'), ask({ url: 'https://evil.test/' }));
  await refused(invalid('email'), ask({ email: 'nobody' }));
  (await ask({})).is(201);
  const answer = await use(where, userId, parameter(linkOf(await mailTo(email)), 'secret'));
  expect(answer.is(201).json()).toMatchObject({ provider: 'magic-url', factors: ['email'] });
});

line('I17', 'a key makes tokens for users, who sign in with them', async () => {
  const where = server();
  const { http, node: sdk } = admin(where);
  const { id } = await account(where);
  const make = (body: Record<string, unknown>, userId = id) => http.post(`/users/${userId}/tokens`, body);
  const since = Date.now();
  const token = (await make({})).is(201).json<Models.Token>();
  expect(token.secret).toMatch(/^[0-9a-f]{6}$/);
  lasts(token, 900, since);
  for (const length of [4, 128]) {
    expect((await sdk.users.createToken({ userId: id, length, expire: 60 })).secret).toHaveLength(length);
  }
  lasts((await make({ expire: 31_536_000 })).is(201).json<Models.Token>(), 31_536_000, Date.now());
  const between = 'Value must be a valid range between';
  await refused(invalid('length', `${between} 4 and 128`), make({ length: 3 }), make({ length: 129 }));
  await refused(invalid('expire', `${between} 60 and 31,536,000`), make({ expire: 59 }), make({ expire: 31_536_001 }));
  await refused({ code: 404, type: 'user_not_found' }, make({}, fresh('nobody')));
  const who = await person(where);
  await refused(
    MISSING_SCOPE,
    who.http.post(`/users/${id}/tokens`, {}),
    guest(where).http.post(`/users/${id}/tokens`, {}),
  );
  await refused(
    { code: 401, type: 'user_session_already_exists' },
    who.http.post('/account/sessions/token', { userId: id, secret: token.secret }),
  );
  const answer = (await use(where, id, token.secret)).is(201);
  expect(answer.json()).toMatchObject({ provider: 'token', factors: ['token'], secret: '' });
  expect((await behind(where, answer)).emailVerification).toBe(false);
  const { secret } = (await make({})).json<Models.Token>();
  const byKey = (await http.post('/account/sessions/token', { userId: id, secret })).is(201).json<Models.Session>();
  expect((await node(where, { session: byKey.secret }).account.get()).$id).toBe(id);
});

line(
  'I18',
  'a token whose time is over is no token',
  async () => {
    const { server: where, pass } = await timeMachine();
    const { id } = await account(where);
    const make = async (expire: number) => (await admin(where).node.users.createToken({ userId: id, expire })).secret;
    const [short, long] = [await make(60), await make(900)];
    await pass(62);
    await refused(INVALID_TOKEN, use(where, id, short));
    (await use(where, id, long)).is(201);
  },
  90_000,
);

line('I19', 'a token is good for what it was made for alone', async (context) => {
  const where = await mailServer(context);
  const { http } = guest(where);
  const { id, email } = await account(where);
  (await http.post('/account/recovery', { email, url: PAGE })).is(201);
  const secret = parameter(linkOf(await mailTo(email)), 'secret');
  await refused(
    INVALID_TOKEN,
    use(where, id, secret),
    http.put('/account/sessions/magic-url', { userId: id, secret }),
    http.put('/account/verifications/email', { userId: id, secret }),
  );
  const custom = await admin(where).node.users.createToken({ userId: id, length: 64 });
  await refused(
    INVALID_TOKEN,
    http.put('/account/recovery', { userId: id, secret: custom.secret, password: PASSWORD }),
    http.put('/account/verifications/email', { userId: id, secret: custom.secret }),
  );
});

line('I20', 'a blocked user is not let in by a token', async () => {
  const where = server();
  const { http, node: sdk } = admin(where);
  const { id } = await account(where);
  const { secret } = await sdk.users.createToken({ userId: id });
  (await http.patch(`/users/${id}/status`, { status: false })).is(200);
  const blocked = { code: 403, type: 'user_blocked' };
  const answer = await use(where, id, secret);
  if (answer.status !== 201 || where.embedded) return refused(blocked, Promise.resolve(answer));
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await refused(blocked, guest(where).http.get('/account', { headers: { cookie } }));
});
