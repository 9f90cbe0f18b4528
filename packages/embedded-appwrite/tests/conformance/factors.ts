import type { Models } from 'node-appwrite';
import { App } from '../support/authenticator-app.ts';
import { error } from './expect.ts';
import type { Answer, Http } from './http.ts';
import type { Person } from './people.ts';

export const CHALLENGES = '/account/mfa/challenges';
export const TOTP = '/account/mfa/authenticators/totp';
export const CODES = '/account/mfa/recovery-codes';
const MORE = 'More factors are required to complete the sign in process.';
export const OWED = error(401, 'user_more_factors_required', MORE);
export const BAD_CODE = error(401, 'user_invalid_token');
export const wrongFor = (code: string): string => (code === '000000' ? '000001' : '000000');
export const turn = (by: Http, mfa: unknown): Answer => by.patch('/account/mfa', { mfa });

export async function appOf(who: Person): Promise<App> {
  const { secret } = await who.http.post(TOTP).json<Models.MfaType>();
  const app = new App(secret);
  await who.http.put(TOTP, { otp: app.now() }).is(200);
  return app;
}

export const challenge = async (by: Http, factor: string): Promise<string> =>
  (await by.post(CHALLENGES, { factor }).json<Models.MfaChallenge>(201)).$id;

export async function prove(by: Http, app: App): Promise<void> {
  await by.put(CHALLENGES, { challengeId: await challenge(by, 'totp'), otp: await app.code() }).is(200);
}
