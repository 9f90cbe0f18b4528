/** Handles signing in, signing up and managing passkeys. `backend/passkeys` checks the data that browsers send. */
import { DomainError } from '#blog/errors.ts';
import type { OwnPasskeysAction, PasskeyOptions, PasskeyUse } from '#blog/passkeys.ts';
import { signedIn } from '../callers.ts';
import { json } from '../json.ts';
import type { ApiLimits } from '../limits.ts';
import type { Call } from '../route.ts';

/** Enough for the longest credential id, an RSA key and the fields that browsers add. */
export const PASSKEY_MAX_BYTES = 16 * 1024;

export async function passkeyOptions({ request, address, site, body }: Call<'passkeys', PasskeyOptions>) {
  const isForUser = body.for === 'add';
  const userId = isForUser ? await signedIn(request, address, site, 'Sign in to add a passkey.') : undefined;
  return json(200, await site.passkeys.options(body, userId));
}

export async function usePasskey({ address, site, body }: Call<'passkeys', PasskeyUse>): Promise<Response> {
  const { passkeys, limits } = site;
  if (body.action !== 'sign-up') return json(200, await passkeys.use(body));
  limits.passkeySignUps.spend(address);
  return json(200, await countingProbes(limits, address, () => passkeys.use(body)));
}

export const ownPasskeys = async ({ request, site, userId }: Call<'passkeys'>): Promise<Response> =>
  json(200, await site.passkeys.own(userId, request.headers));

export const changePasskeys = async ({ request, address, site, userId, body }: Call<'passkeys', OwnPasskeysAction>) =>
  json(
    200,
    await countingProbes(site.limits, body.action === 'change-email' ? address : undefined, () =>
      site.passkeys.act(userId, request.headers, body),
    ),
  );

/** Limits how often a network can discover an address that has an account. @throws ApiError 429 */
async function countingProbes<T>({ addressProbes }: ApiLimits, network: string | undefined, work: () => Promise<T>) {
  if (network !== undefined) addressProbes.check(network);
  try {
    return await work();
  } catch (error) {
    if (network !== undefined && error instanceof DomainError && error.code === 'address-taken') {
      addressProbes.count(network);
    }
    throw error;
  }
}
