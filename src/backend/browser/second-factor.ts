import { type AuthenticationFactor, AuthenticatorType } from 'appwrite';
import { faultOf } from '#blog/errors.ts';
import type { User } from '#blog/user.ts';
import { unless } from '../unless.ts';
import { connect, logged } from './client.ts';
import { sessionUser } from './session.ts';

export type CodeKind = 'totp' | 'recoveryCode';
/** One code, or several codes to try until the backend accepts one. */
export type Code = string | readonly string[];

const TOTP = { type: AuthenticatorType.Totp };
const ALREADY_VERIFIED = 'user_authenticator_already_verified';

export interface AppKey {
  readonly secret: string;
  readonly uri: string;
}

/**
 * Returns true if MFA is on and an authenticator app is confirmed. Other factors do not count, because the pages do not
 * accept them.
 */
export const isSecondFactorOn = (): Promise<boolean> =>
  logged('isSecondFactorOn', async () => {
    const { account } = connect();
    return (await account.get()).mfa && (await account.listMFAFactors()).totp;
  });

/**
 * Creates a key for an authenticator app, replacing any unconfirmed key. Returns undefined if an app is already
 * confirmed; `switchOn` then accepts a code from that app.
 */
export const newAppKey = (): Promise<AppKey | undefined> =>
  logged('newAppKey', async () => unless(ALREADY_VERIFIED, connect().account.createMFAAuthenticator(TOTP)));

/** Confirms the key with a code from the app, turns the second factor on and returns the recovery codes. */
export const switchOn = (code: Code): Promise<readonly string[]> =>
  logged('switchOn', async () => {
    const { account } = connect();
    const confirmed = withOneOf(code, (otp) => account.updateMFAAuthenticator({ ...TOTP, otp }));
    await unless(ALREADY_VERIFIED, confirmed);
    // Completes a challenge first, because only then does the backend replace existing recovery codes.
    await prove(code, 'totp');
    const codes = await freshCodes();
    await account.updateMFA({ mfa: true });
    return codes;
  });

async function freshCodes(): Promise<readonly string[]> {
  const { account } = connect();
  const renewed = await unless('user_recovery_codes_not_found', account.updateMFARecoveryCodes());
  return (renewed ?? (await account.createMFARecoveryCodes())).recoveryCodes;
}

export const switchOff = (code: Code, kind: CodeKind): Promise<void> =>
  logged('switchOff', async () => {
    const { account } = connect();
    await prove(code, kind);
    await account.updateMFA({ mfa: false });
    await account.deleteMFAAuthenticator(TOTP);
  });

export const renewCodes = (code: Code, kind: CodeKind): Promise<readonly string[]> =>
  logged('renewCodes', async () => {
    await prove(code, kind);
    return freshCodes();
  });

export const completeLogin = (code: Code, kind: CodeKind): Promise<User> =>
  logged('completeLogin', async () => {
    await prove(code, kind);
    return sessionUser();
  });

export const giveUpLogin = (): Promise<void> =>
  logged('giveUpLogin', async () => void (await connect().account.deleteSession({ sessionId: 'current' })));

/** Completes a challenge with a code. @throws the SDK's error `user_invalid_token` for a wrong code */
async function prove(code: Code, kind: CodeKind): Promise<void> {
  const { account } = connect();
  // The cast is needed because the backend refuses the SDK's enum value for recovery codes.
  const { $id: challengeId } = await account.createMFAChallenge({ factor: kind as AuthenticationFactor });
  await withOneOf(code, (otp) => account.updateMFAChallenge({ challengeId, otp: otp.replace(/\s/g, '') }));
}

async function withOneOf<T>(code: Code, use: (otp: string) => Promise<T>): Promise<T> {
  const [first = '', ...others] = typeof code === 'string' ? [code] : code;
  try {
    return await use(first);
  } catch (error) {
    if (others.length === 0 || faultOf(error).type !== 'user_invalid_token') throw error;
    return withOneOf(others, use);
  }
}
