/** I: verification of an e-mail address (contract, part 2, 3). */
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { invalid, MISSING_SCOPE, refused } from './expect.ts';
import { mailServer } from './facilities.ts';
import { line, server } from './line.ts';
import { linkOf, mailTo, parameter } from './mailbox.ts';
import { fresh } from './names.ts';
import { admin, guest, type Person, person } from './people.ts';
import { collection, database, document } from './schema.ts';

const URL_OF_PAGE = 'http://localhost:5173/verify';
const INVALID_TOKEN = { code: 401, type: 'user_invalid_token' };
const PATH = '/account/verifications/email';

/** Requests a verification mail; returns the parameters of its link. */
async function verification(who: Person, path = PATH): Promise<{ userId: string; secret: string }> {
  const token = (await who.http.post(path, { url: URL_OF_PAGE })).is(201).json<Models.Token>();
  expect(token).toMatchObject({ userId: who.id, secret: '', phrase: '' });
  const mail = await mailTo(who.email);
  expect(mail.subject).toMatch(/^Account Verification for ./);
  const link = linkOf(mail);
  expect(parameter(link, 'expire')).toBe(token.expire);
  return { userId: parameter(link, 'userId'), secret: parameter(link, 'secret') };
}

const isVerified = async (who: Person) =>
  (await who.http.get('/account')).is(200).json<Models.User>().emailVerification;

line('I08', 'a user verifies his address by a link that anybody may follow, once', async (context) => {
  const where = await mailServer(context);
  const who = await person(where);
  const body = { url: URL_OF_PAGE };
  await refused(
    MISSING_SCOPE,
    guest(where).http.post(PATH, body),
    admin(where).http.post(PATH, body),
    guest(where).web.account.createEmailVerification(body),
  );
  const proof = await verification(who);
  expect(proof.secret).toMatch(/^[0-9a-f]{256}$/);
  await refused({ ...MISSING_SCOPE, message: /missing scopes \(\["public"\]\)$/ }, admin(where).http.put(PATH, proof));
  expect((await guest(where).http.put(PATH, proof)).is(200).json()).toMatchObject({ userId: who.id, secret: '' });
  expect(await isVerified(who)).toBe(true);
  await refused(INVALID_TOKEN, guest(where).http.put(PATH, proof));
  await refused(
    { code: 409, type: 'user_email_already_verified', message: 'User email is already verified' },
    who.http.post(PATH, body),
    who.web.account.createEmailVerification(body),
  );
});

line(
  'I09',
  'the older path is the same; a wrong secret verifies nobody, another’s session hinders nothing',
  async (context) => {
    const where = await mailServer(context);
    const [who, other] = [await person(where), await person(where)];
    const alias = '/account/verification';
    const proof = await verification(who, alias);
    const { http, web } = guest(where);
    await refused(
      INVALID_TOKEN,
      http.put(alias, { ...proof, secret: 'f'.repeat(256) }),
      http.put(alias, { ...proof, userId: other.id }),
      web.account.updateEmailVerification({ ...proof, userId: other.id }),
    );
    await refused({ code: 404, type: 'user_not_found' }, http.put(alias, { ...proof, userId: fresh('nobody') }));
    (await other.http.put(alias, proof)).is(200);
    expect(await isVerified(who)).toBe(true);
    expect(await isVerified(other)).toBe(false);
  },
);

line('I10', 'a user without an address has none to verify', async (context) => {
  const where = await mailServer(context);
  const { id } = await anonymous(where);
  const secret = (await admin(where).http.post(`/users/${id}/sessions`)).is(201).json<Models.Session>().secret;
  await refused(
    { code: 400, type: 'user_email_not_found', message: 'User email could not be found.' },
    guest(where).http.with({ 'x-appwrite-session': secret }).post(PATH, { url: URL_OF_PAGE }),
  );
});

async function anonymous(where: Parameters<typeof guest>[0]): Promise<{ id: string }> {
  const made = (await guest(where).http.post('/account/sessions/anonymous', {})).is(201).json<Models.Session>();
  later(() => admin(where).http.delete(`/users/${made.userId}`));
  return { id: made.userId };
}

line('I11', 'a verification by key acts on the next request, both ways', async () => {
  const { http, node } = admin(server());
  const who = await person(server());
  const where = await collection(server(), await database(server()), { documentSecurity: true });
  const forAll = await document(server(), where, {}, ['read("users/verified")']);
  const forOne = await document(server(), where, {}, [`read("user:${who.id}/verified")`]);
  const reads = async (status: number) => {
    for (const { $id } of [forAll, forOne]) (await who.http.get(where.document($id))).is(status);
  };
  await reads(404);
  const path = `/users/${who.id}/verification`;
  expect((await http.patch(path, { emailVerification: true })).is(200).json<Models.User>().emailVerification).toBe(
    true,
  );
  await reads(200);
  expect(
    (await node.users.updateEmailVerification({ userId: who.id, emailVerification: false })).emailVerification,
  ).toBe(false);
  await reads(404);
  await refused(invalid('emailVerification'), http.patch(path, { emailVerification: 'maybe' }));
  await refused(
    { code: 404, type: 'user_not_found' },
    http.patch(`/users/${fresh('nobody')}/verification`, { emailVerification: true }),
  );
});
