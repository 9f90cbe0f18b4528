/** The second factor, and logins that wait for it. Functions rethrow backend errors. */

import * as backend from '#backend/browser/second-factor.ts';
import type { User } from '#blog/user.ts';
import { signedIn, signedOut } from './auth.ts';

export type { AppKey, Code, CodeKind } from '#backend/browser/second-factor.ts';
export { isSecondFactorOn, newAppKey, renewCodes, switchOff, switchOn } from '#backend/browser/second-factor.ts';

export async function completeLogin(code: backend.Code, kind: backend.CodeKind): Promise<User> {
  const user = await backend.completeLogin(code, kind);
  signedIn(user);
  return user;
}

export const giveUpLogin = (): Promise<void> => backend.giveUpLogin().then(signedOut);
