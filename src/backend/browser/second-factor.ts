/** The second factor of the signed-in user, or of somebody who has given the first: an authenticator app, recovery codes. */

import { type AuthenticationFactor, AuthenticatorType } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import type { User } from '#blog/user.ts';
import { connect, logged } from './client.ts';

/** What a code comes from. */
export type CodeKind = 'totp' | 'recoveryCode';

const TOTP = { type: AuthenticatorType.Totp };

/** A key for an authenticator app, also as the address that such apps read from a QR code. */
export interface AppKey {
  readonly secret: string;
  readonly uri: string;
}

/** Without an app it is off: the operator may have taken that away alone, and the pages ask for no other factor. */
export const isSecondFactorOn = (): Promise<boolean> =>
  logged('isSecondFactorOn', async () => {
    const { account } = connect();
    return (await account.get()).mfa && (await account.listMFAFactors()).totp;
  });

/**
 * Makes a key; the one before, if it was never confirmed, does not count any more. Undefined where an app has one that was
 * confirmed: a code of that app is enough then.
 */
export const newAppKey = (): Promise<AppKey | undefined> =>
  logged('newAppKey', async () => {
    try {
      return await connect().account.createMFAAuthenticator(TOTP);
    } catch (error) {
      if (faultOf(error).type !== 'user_authenticator_already_verified') throw error;
      return undefined;
    }
  });

/** Confirms the key by a code of the app, switches the second factor on and gives the recovery codes. */
export const switchOn = (otp: string): Promise<readonly string[]> =>
  logged('switchOn', async () => {
    const { account } = connect();
    await account.updateMFAAuthenticator({ ...TOTP, otp }).catch((error: unknown) => {
      if (faultOf(error).type !== 'user_authenticator_already_verified') throw error;
    });
    // Codes that are left from before are not given without a challenge that was met just now.
    await prove(otp, 'totp');
    const codes = await freshCodes();
    await account.updateMFA({ mfa: true });
    return codes;
  });

/** New codes in place of those there are, if any. */
async function freshCodes(): Promise<readonly string[]> {
  const { account } = connect();
  try {
    return (await account.updateMFARecoveryCodes()).recoveryCodes;
  } catch (error) {
    if (faultOf(error).type !== 'user_recovery_codes_not_found') throw error;
    return (await account.createMFARecoveryCodes()).recoveryCodes;
  }
}

/** Switches the second factor off; a code has to prove who asks. */
export const switchOff = (otp: string, kind: CodeKind): Promise<void> =>
  logged('switchOff', async () => {
    const { account } = connect();
    await prove(otp, kind);
    await account.updateMFA({ mfa: false });
    await account.deleteMFAAuthenticator(TOTP);
  });

/** New recovery codes in place of those there are; a code has to prove who asks. */
export const renewCodes = (otp: string, kind: CodeKind): Promise<readonly string[]> =>
  logged('renewCodes', async () => {
    await prove(otp, kind);
    return freshCodes();
  });

/** Completes a sign-in that waits for its second factor, and gives the user. */
export const completeLogin = (otp: string, kind: CodeKind): Promise<User> =>
  logged('completeLogin', async () => {
    await prove(otp, kind);
    const { $id, email, name } = await connect().account.get();
    return { id: $id, email, name };
  });

/** Ends a sign-in that waits for its second factor. */
export const giveUpLogin = (): Promise<void> =>
  logged('giveUpLogin', async () => void (await connect().account.deleteSession({ sessionId: 'current' })));

/** @throws the SDK's error `user_invalid_token` for a code that is not right. */
async function prove(otp: string, kind: CodeKind): Promise<void> {
  const { account } = connect();
  // Of the SDK's own names, a server accepts no code for the recovery codes' one.
  const { $id } = await account.createMFAChallenge({ factor: kind as AuthenticationFactor });
  await account.updateMFAChallenge({ challengeId: $id, otp: otp.replace(/\s/g, '') });
}
