import type { Models } from 'node-appwrite';
import { codeOf, stepAt } from '../../src/mfa/totp.ts';
import type { Http } from './http.ts';
import { admin, type Person } from './people.ts';
import { node } from './sdk.ts';
import type { Server } from './server.ts';

export const CHALLENGES = '/account/mfa/challenges';
export const TOTP = '/account/mfa/authenticators/totp';
export const CODES = '/account/mfa/recovery-codes';

export const OWED = {
  code: 401,
  type: 'user_more_factors_required',
  message: 'More factors are required to complete the sign in process.',
};
export const BAD_CODE = { code: 401, type: 'user_invalid_token' };

export class App {
  readonly #secret: string;
  readonly #ahead: number;
  #used = 0;

  /** @param ahead time steps that a code may be early: one for the embedded backend, none for a real server */
  constructor(secret: string, ahead = 1) {
    this.#secret = secret;
    this.#ahead = ahead;
  }

  /** Returns an unused code: the next step's if this step's is used. */
  async code(): Promise<string> {
    const step = Math.max(stepAt(Date.now()), this.#used + 1);
    this.#used = step;
    while (step > stepAt(Date.now()) + this.#ahead) await new Promise((resolve) => setTimeout(resolve, 250));
    return codeOf(this.#secret, step);
  }

  /** Returns the current code without marking it as used. */
  now(): string {
    return codeOf(this.#secret, stepAt(Date.now()));
  }
}

/** Adds a verified authenticator to a user's account. */
export async function authenticatorOf(who: Person): Promise<App> {
  const { secret } = (await who.http.post(TOTP)).is(200).json<Models.MfaType>();
  const app = new App(secret);
  (await who.http.put(TOTP, { otp: app.now() })).is(200);
  return app;
}

export async function challenge(by: Http, factor: string): Promise<string> {
  return (await by.post(CHALLENGES, { factor })).is(201).json<Models.MfaChallenge>().$id;
}

/** Completes a challenge with the app's code. */
export async function prove(by: Http, app: App): Promise<Models.Session> {
  const body = { challengeId: await challenge(by, 'totp'), otp: await app.code() };
  return (await by.put(CHALLENGES, body)).is(200).json<Models.Session>();
}

/** Creates another session of a user by key. */
export async function anotherSession(server: Server, who: Person): Promise<Person> {
  const { http } = admin(server);
  const session = (await http.post(`/users/${who.id}/sessions`)).is(201).json<Models.Session>();
  return {
    ...who,
    session: session.secret,
    sessionId: session.$id,
    http: who.http.with({ 'x-appwrite-session': session.secret }),
    node: node(server, { session: session.secret }),
  };
}
