/** The account's second factor, and logins that wait for it. Functions rethrow backend errors. */

import * as backend from '#backend/browser.ts';
import type { User } from '#blog/user.ts';
import { importWithRetry } from '../import-with-retry.ts';
import { signedIn, signedOut } from './auth.ts';

export type { AppKey, CodeKind } from '#backend/browser.ts';

const part = () => importWithRetry(backend.importSecondFactor);

export const isSecondFactorOn = async () => (await part()).isSecondFactorOn();
export const newAppKey = async () => (await part()).newAppKey();
export const switchOn = async (code: string) => (await part()).switchOn(code);
export const switchOff = async (code: string, kind: backend.CodeKind) => (await part()).switchOff(code, kind);
export const renewCodes = async (code: string, kind: backend.CodeKind) => (await part()).renewCodes(code, kind);

export async function completeLogin(code: string, kind: backend.CodeKind): Promise<User> {
  const user = await (await part()).completeLogin(code, kind);
  signedIn(user);
  return user;
}

export async function giveUpLogin(): Promise<void> {
  await (await part()).giveUpLogin();
  signedOut();
}
