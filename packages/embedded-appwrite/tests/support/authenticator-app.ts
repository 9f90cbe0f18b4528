import { codeOf, stepAt } from '../../src/mfa/totp.ts';

export class App {
  readonly #secret: string;
  readonly #ahead: number;
  #used = 0;

  /** @param ahead how many time steps early a server accepts a code: one for the embedded backend, none for Appwrite */
  constructor(secret: string, ahead = 1) {
    this.#secret = secret;
    this.#ahead = ahead;
  }

  /** Returns an unused code: that of the next time step if the current step's code has been used. */
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
