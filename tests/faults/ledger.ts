/**
 * What the server has promised. A write that was answered must be found as it was; one that was under way when the
 * server was killed may have happened or not, but not by half.
 */

/** The state of one document or file: a value that stands for all of it, or `undefined` = not there. */
export type State = string | undefined;

export class Ledger {
  readonly #promised = new Map<string, State>();
  readonly #underWay = new Map<string, State>();

  /** The ids whose last answered state is that they are there. */
  get present(): string[] {
    return [...this.#promised].filter(([, state]) => state !== undefined).map(([id]) => id);
  }

  /** All ids that were ever written to. */
  get ids(): string[] {
    return [...new Set([...this.#promised.keys(), ...this.#underWay.keys()])];
  }

  isUnderWay(id: string): boolean {
    return this.#underWay.has(id);
  }

  /** Writes `state`, and notes the promise once it is answered; what breaks off stays under way. */
  async write(id: string, state: State, write: () => Promise<void>): Promise<void> {
    this.#underWay.set(id, state);
    await write();
    this.#underWay.delete(id);
    this.#promised.set(id, state);
  }

  /** Compares with what was found after a restart, which is the promise from now on. Gives what is wrong. */
  check(id: string, found: State): string | undefined {
    const expected = [this.#promised.get(id), ...(this.#underWay.has(id) ? [this.#underWay.get(id)] : [])];
    if (!expected.includes(found)) {
      return `${id} should be ${expected.map((state) => state ?? 'absent').join(' or ')}, and is ${found ?? 'absent'}`;
    }
    this.#underWay.delete(id);
    this.#promised.set(id, found);
    return undefined;
  }

  /** Forgets what is settled to be absent. */
  tidy(): void {
    for (const [id, state] of this.#promised)
      if (state === undefined && !this.#underWay.has(id)) this.#promised.delete(id);
  }
}
