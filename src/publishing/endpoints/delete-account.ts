/** `POST /api/account/delete` `{ password, posts }`: a signed-in user deletes their account; the posts go too, or to an owner. */

import { PeopleError } from '#backend/people/people.ts';
import { faultOf } from '#blog/errors.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';
import { refusedBy } from './people.ts';

const BODY_LIMIT = 4096;

/** Answers 200 when all of it is gone, from the public pages, too; 422 for a wrong password. */
export function deleteAccountEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    const { people } = publishing ?? {};
    if (!publishing || !people) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    requireSameOrigin(request, publishing.siteUrl);
    const { password, posts } = await objectOf(request, BODY_LIMIT);
    if (typeof password !== 'string' || password === '') {
      throw new EndpointError(400, 'Send { "password": "…" }, the password of the account.');
    }
    const userId = await signedIn(request, caller, publishing, 'Sign in to delete your account.');
    publishing.limits.people.spend(userId);
    if (!(await asked(people.isPasswordOf(userId, password))))
      throw new EndpointError(422, 'The password is not right.');
    await asked(people.deleteUser(userId, posts === 'hand-over' ? 'hand-over' : 'delete'));
    return json(200, { deleted: true });
  });
}

/** What the backend gives; a refusal of its own as an answer. */
async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PeopleError) throw refusedBy(error);
    const { code } = faultOf(error);
    if (code === 429)
      throw new EndpointError(429, 'Too many attempts. Try again in an hour.', { 'retry-after': '3600' });
    throw new EndpointError(503, 'Not everything could be deleted just now. Try again shortly.', {
      'retry-after': '5',
    });
  }
}
