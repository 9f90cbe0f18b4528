/** Recovery codes: six single-use codes for users who lost their other factors (contract, part 2, 8). */
import { signedInUser } from '../account/profile-routes.ts';
import { AppwriteError } from '../http/errors.ts';
import { type Route, route } from '../http/route.ts';
import { type MfaService, requireFreshChallenge } from './service.ts';

const PATH = '/account/mfa/recovery-codes';

/** Returns the remaining codes. Throws 404 if there are none. */
export function codesOf({ records }: MfaService, userId: string): string[] {
  const codes = records.recoveryCodes(userId);
  if (codes.length === 0) throw new AppwriteError('user_recovery_codes_not_found');
  return codes;
}

/** Creates the first codes. Throws 409 if there already are some. */
export function makeCodes({ kernel: { store }, records }: MfaService, userId: string): Promise<string[]> {
  return store.write(() => {
    if (records.recoveryCodes(userId).length > 0) throw new AppwriteError('user_recovery_codes_already_exists');
    return records.renewRecoveryCodes(userId);
  });
}

/** Replaces the codes. Throws 404 if there are none. */
export function renewCodes(service: MfaService, userId: string): Promise<string[]> {
  const { kernel, records } = service;
  return kernel.store.write(() => {
    codesOf(service, userId);
    return records.renewRecoveryCodes(userId);
  });
}

export function recoveryCodeRoutes(service: MfaService): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      scope: 'account',
      params: {},
      async handle({ caller }) {
        const recoveryCodes = await makeCodes(service, signedInUser(caller).id);
        return { status: 201, body: { recoveryCodes } };
      },
    }),
    route({
      method: 'GET',
      path: PATH,
      scope: 'account',
      params: {},
      handle({ caller }) {
        requireFreshChallenge(service, caller);
        return { status: 200, body: { recoveryCodes: codesOf(service, signedInUser(caller).id) } };
      },
    }),
    route({
      method: 'PATCH',
      path: PATH,
      scope: 'account',
      params: {},
      async handle({ caller }) {
        requireFreshChallenge(service, caller);
        return { status: 200, body: { recoveryCodes: await renewCodes(service, signedInUser(caller).id) } };
      },
    }),
  ];
}
