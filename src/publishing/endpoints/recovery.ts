/**
 * `POST /api/recovery` `{ email }`: somebody has lost a password. The answer is the same, and as quick, whether there is
 * such an account: what has to be done about it is done afterwards. `GET /api/recovery` says whether mail is sent at all.
 */

import { forgotSchema } from '#blog/forms/account-forms.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 4096;

/** Answers 200 `{ isMailed }`, what everyone may know who forgets a password. */
export function mailStateEndpoint(publishing: PublishingLocals | undefined): Promise<Response> {
  return answer(async () => {
    const people = publishing?.people;
    if (!people) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    return json(200, { isMailed: await people.sendsMail() });
  });
}

/** Answers 202 `{ isMailed }`: whether this site sends mail at all. */
export function recoveryEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return answer(async () => {
    const people = publishing?.people;
    if (!publishing || !people) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    requireSameOrigin(request, publishing.siteUrl);
    publishing.limits.recoveries.spend(address);
    const form = forgotSchema.safeParse(await objectOf(request, BODY_LIMIT));
    if (!form.success) throw new EndpointError(400, form.error.issues[0]?.message ?? 'Send { "email": "…" }.');
    const isMailed = await people.sendsMail();
    const { email } = form.data;
    const { recoveriesOf, recoveryMails } = publishing.limits;
    // Of one address a few an hour: more would fill somebody's mailbox.
    if (isMailed && recoveriesOf.wait(email) === 0) {
      recoveriesOf.count(email);
      setImmediate(() => void recoveryMails.run(() => people.sendRecovery(email)).catch(() => undefined));
    }
    return json(202, { isMailed });
  });
}
