import { DomainError, faultOf } from '#blog/errors.ts';
import { type Proof, proofSchema } from '#blog/passkeys.ts';
import { ApiError, type JsonObject, json } from '../json.ts';
import type { Call } from '../route.ts';

export const mailState = async ({ site }: Call<'people'>) => json(200, { isMailed: await site.people.sendsMail() });

/**
 * Responds with 202 for any address, before the email is sent, so that the response time does not reveal whether the
 * address has an account.
 */
export async function sendRecovery({ site, body: { email } }: Call<'people', { email: string }>): Promise<Response> {
  const { people, limits } = site;
  const isMailed = await people.sendsMail();
  // Limited per email address, because frequent recovery emails would flood the user's mailbox.
  if (isMailed && limits.recoveriesOf.wait(email) === 0) {
    limits.recoveriesOf.count(email);
    setImmediate(() => void limits.recoveryMails.run(() => people.sendRecovery(email)).catch(() => undefined));
  }
  return json(202, { isMailed });
}

/** Exchanges a one-time link for the backend's sign-in secret. Responds with 404 for an invalid link. */
export const openLink = async ({ site, body }: Call<'people', { userId: string; sealed: string }>) =>
  json(200, { secret: await site.people.openLink(body.userId, body.sealed) });

export async function setPassword({ request, site, body }: Call<'people', { password: string }>): Promise<Response> {
  if (!(await site.people.setPassword(request.headers, body.password))) throw new ApiError(403, 'no-recent-link');
  return json(200, {});
}

interface Deletion {
  readonly proof: Proof;
  readonly posts: 'hand-over' | 'delete';
}

export function deletionOf(body: JsonObject): Deletion {
  const { data: proof } = proofSchema.safeParse(body);
  if (!proof) {
    throw new ApiError(
      400,
      'Send { "password": "…" }, the password of the account, or { "response": … } of a passkey.',
    );
  }
  return { proof, posts: body.posts === 'hand-over' ? 'hand-over' : 'delete' };
}

/** Responds with 200 once the account is deleted and the public pages reflect that; with 422 for a wrong password. */
export async function deleteAccount({ site, userId, body }: Call<'people', Deletion>): Promise<Response> {
  try {
    if (!(await isProof(site, userId, body.proof))) throw new ApiError(422, 'The password is not right.');
    await site.people.deleteUser(userId, body.posts);
  } catch (error) {
    if (error instanceof ApiError || error instanceof DomainError) throw error;
    if (faultOf(error).code === 429) {
      throw new ApiError(429, 'Too many attempts. Try again in an hour.', { 'retry-after': '3600' });
    }
    throw new ApiError(503, 'Not everything could be deleted yet. Try again shortly.', { 'retry-after': '5' });
  }
  return json(200, { deleted: true });
}

/** @throws DomainError if the passkey's response is not accepted */
async function isProof({ people, passkeys }: Call<'people'>['site'], userId: string, proof: Proof): Promise<boolean> {
  if ('password' in proof) return people.isPasswordOf(userId, proof.password);
  await passkeys?.prove(userId, proof);
  return passkeys !== undefined;
}
