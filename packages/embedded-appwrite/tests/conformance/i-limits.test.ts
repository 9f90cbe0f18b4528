/** I: rate limits of the mail flows (contract, part 2, 5). */
import { refused } from './expect.ts';
import { limitedMailServer, roomInWindow } from './facilities.ts';
import type { HttpResponse } from './http.ts';
import { line } from './line.ts';
import { fresh, freshEmail } from './names.ts';
import { account, admin, guest, PASSWORD, person } from './people.ts';

const LIMITED = { code: 429, type: 'general_rate_limit_exceeded' };
const PAGE = 'http://localhost:5173/in';

/** Sends `count` requests at the same time and expects this status of all of them. */
async function times(count: number, status: number, ask: (index: number) => Promise<HttpResponse>): Promise<void> {
  for (const answer of await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))) answer.is(status);
}

line(
  'I21',
  'the mail flows are limited by address, by place and by user, and a sign-in gives its attempts back',
  async (context) => {
    const where = await limitedMailServer(context);
    const { http } = guest(where);
    await roomInWindow(3600, 45);
    const [who, other] = [await account(where), await account(where)];

    const recover = (userId: string) => http.put('/account/recovery', { userId, secret: 'x', password: PASSWORD });
    await times(10, 401, () => recover(who.id));
    await refused(LIMITED, recover(who.id));
    (await recover(other.id)).is(401);

    // Requests that fail validation count too, so the test sends no mail.
    const code = () => http.post('/account/tokens/email', { userId: '.bad', email: freshEmail() });
    await times(10, 400, code);
    await refused(LIMITED, code());
    const magic = () => http.post('/account/tokens/magic-url', { userId: '.bad', email: freshEmail(), url: PAGE });
    await times(60, 400, magic);
    await refused(
      LIMITED,
      magic(),
      http.post('/account/sessions/magic-url', { userId: fresh('u'), email: freshEmail() }),
    );

    const { id, http: own } = await person(where);
    const use = () => http.put('/account/verification', { userId: id, secret: 'x' });
    await times(5, 401, use);
    await times(5, 400, () => own.post('/account/verifications/email', { url: '' }));
    await refused(LIMITED, use(), own.post('/account/verifications/email', { url: PAGE }));

    const wrong = () => http.post('/account/sessions/token', { userId: who.id, secret: 'wrong' });
    const { secret } = await admin(where).node.users.createToken({ userId: who.id });
    await times(5, 401, wrong);
    await times(4, 401, () => http.put('/account/sessions/magic-url', { userId: who.id, secret: 'wrong' }));
    (await http.post('/account/sessions/token', { userId: who.id, secret })).is(201);
    await times(10, 401, wrong);
    await refused(LIMITED, wrong(), http.put('/account/sessions/magic-url', { userId: who.id, secret: 'wrong' }));
  },
);
