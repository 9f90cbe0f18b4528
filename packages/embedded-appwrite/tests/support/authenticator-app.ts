import { codeOf, stepAt } from '../../src/mfa/totp.ts';

export class App {
  readonly #secret: string;
  readonly #ahead: number;
  #used = 0;

  /** @param ahead how many time steps early a code may be: one for the embedded backend, none for Appwrite */
  constructor(secret: string, ahead = 1) {
    this.#secret = secret;
    this.#ahead = ahead;
  }

  /** Returns an unused code: the next time step's if the current one has been used. */
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
