/** A: sign-in limits (contract 1.8), counted by e-mail address and reset by success. */
import { refused } from './expect.ts';
import { limitsServer, roomInWindow } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line } from './line.ts';
import { account, guest, PASSWORD } from './people.ts';
import type { Server } from './server.ts';

const LIMITED = { code: 429, type: 'general_rate_limit_exceeded' };

function attempt(where: Server, email: string, password: string): Promise<HttpResponse> {
  return guest(where).http.post('/account/sessions/email', { email, password });
}

/** Sends `count` sign-ins with a wrong password at the same time; the server must answer all of them. */
async function wrongAttempts(where: Server, email: string, count: number): Promise<void> {
  const attempts = Array.from({ length: count }, () => attempt(where, email, 'not-the-password'));
  for (const answer of await Promise.all(attempts)) answer.is(401);
}

line(
  'A20',
  'after ten wrong passwords of an hour the right one is refused too; other addresses are not affected',
  async (context) => {
    const where = await limitsServer(context);
    const [who, other] = [await account(where), await account(where)];
    await roomInWindow(3600, 20);
    await wrongAttempts(where, who.email, 10);
    await refused(
      LIMITED,
      attempt(where, who.email, PASSWORD),
      guest(where).web.account.createEmailPasswordSession({ email: who.email, password: PASSWORD }),
    );
    (await attempt(where, other.email, PASSWORD)).is(201);
  },
);

line('A21', 'a right password gives all ten attempts back', async (context) => {
  const where = await limitsServer(context);
  const who = await account(where);
  await roomInWindow(3600, 30);
  await wrongAttempts(where, who.email, 9);
  (await attempt(where, who.email, PASSWORD)).is(201);
  await wrongAttempts(where, who.email, 10);
  await refused(LIMITED, attempt(where, who.email, PASSWORD));
});
