/** I: both releases of the browser SDK (contract, part 2, 10). */
import type * as appwrite from 'appwrite';
import { IdTokenProvider } from 'appwrite';
import type { Models } from 'node-appwrite';
import { expect } from 'vitest';
import { later } from './cleanup.ts';
import { refused } from './expect.ts';
import { mailServer } from './facilities.ts';
import { line, server } from './line.ts';
import { codeOf, linkOf, mailTo, parameter } from './mailbox.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, PASSWORD } from './people.ts';
import { browser, browser27 } from './sdk.ts';
import type { Server } from './server.ts';

const PAGE = 'http://localhost:5173/in';
const NEW_PASSWORD = 'another-horse-2';

line('I31', 'SDK 28 signs in and asks for its account; what only newer servers have is 404', async () => {
  const { id, email } = await account(server());
  const { account: own, teams } = browser(server());
  const session = await own.createEmailPasswordSession({ email, password: PASSWORD });
  expect(session.userId).toBe(id);
  expect(await own.get()).toMatchObject({ $id: id, email, mfa: false });
  expect((await own.listSessions()).sessions.map(({ current }) => current)).toEqual([true]);
  expect(await own.listMFAFactors()).toEqual({ totp: false, phone: false, email: false, recoveryCode: false });
  expect(await teams.list()).toMatchObject({ total: 0, teams: [] });
  await refused(
    { code: 404 },
    own.createRecoveryOTP({ email }),
    own.updateRecoveryOTP({ userId: id, secret: '123456', password: PASSWORD }),
    own.createEmailVerificationOTP(),
    own.updateEmailVerificationOTP({ userId: id, secret: '123456' }),
    own.createIdTokenSession({
      provider: IdTokenProvider.Google,
      idToken: 'x',
    }),
  );
});

type Account = Pick<
  appwrite.Account,
  | 'get'
  | 'deleteSession'
  | 'createRecovery'
  | 'updateRecovery'
  | 'createEmailPasswordSession'
  | 'createEmailVerification'
  | 'updateEmailVerification'
  | 'createEmailToken'
  | 'createMagicURLToken'
  | 'createSession'
  | 'updateMagicURLSession'
>;

async function everyFlow(where: Server, own: Account): Promise<void> {
  const { id, email } = await account(where);
  const fromLink = async (address: string) => {
    const link = linkOf(await mailTo(address));
    return { userId: parameter(link, 'userId'), secret: parameter(link, 'secret') };
  };
  const out = () => own.deleteSession({ sessionId: 'current' });

  await own.createRecovery({ email, url: PAGE });
  await own.updateRecovery({ ...(await fromLink(email)), password: NEW_PASSWORD });
  await own.createEmailPasswordSession({ email, password: NEW_PASSWORD });
  await admin(where).node.users.updateEmailVerification({ userId: id, emailVerification: false });
  await own.createEmailVerification({ url: PAGE });
  await own.updateEmailVerification(await fromLink(email));
  expect((await own.get()).emailVerification).toBe(true);
  await out();

  const newcomer = freshEmail();
  const { userId } = await own.createEmailToken({ userId: fresh('user'), email: newcomer });
  later(() => admin(where).http.delete(`/users/${userId}`));
  expect((await own.createSession({ userId, secret: codeOf(await mailTo(newcomer)) })).factors).toEqual(['email']);
  expect((await own.get()).$id).toBe(userId);
  await out();

  for (const signIn of ['createSession', 'updateMagicURLSession'] as const) {
    await own.createMagicURLToken({ userId, email: newcomer, url: PAGE });
    const session: Models.Session = await own[signIn](await fromLink(newcomer));
    expect(session.provider).toBe('magic-url');
    await out();
  }

  const { secret } = await admin(where).node.users.createToken({ userId });
  expect((await own.createSession({ userId, secret })).provider).toBe('token');
  expect((await own.get()).$id).toBe(userId);
}

line('I32', 'SDK 27 and 28 go every way by mail from end to end', async (context) => {
  const where = await mailServer(context);
  await everyFlow(where, browser27(where).account);
  await everyFlow(where, browser(where).account);
});
