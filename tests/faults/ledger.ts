/**
 * Records the server's promises. An answered write must be found unchanged; one that was under way at the kill may
 * have happened or not, but not by half.
 */

/** The state of one document or file as a digest; `undefined` = absent. */
export type State = string | undefined;

export class Ledger {
  readonly #promised = new Map<string, State>();
  readonly #underWay = new Map<string, State>();

  get present(): string[] {
    return [...this.#promised].filter(([, state]) => state !== undefined).map(([id]) => id);
  }

  get ids(): string[] {
    return [...new Set([...this.#promised.keys(), ...this.#underWay.keys()])];
  }

  isUnderWay(id: string): boolean {
    return this.#underWay.has(id);
  }

  /** Writes `state` and records the promise once it is answered; an interrupted write stays under way. */
  async write(id: string, state: State, write: () => Promise<void>): Promise<void> {
    this.#underWay.set(id, state);
    await write();
    this.#underWay.delete(id);
    this.#promised.set(id, state);
  }

  /** Compares with the state after a restart, which becomes the promise. Returns the fault, if there is one. */
  check(id: string, found: State): string | undefined {
    const expected = [this.#promised.get(id), ...(this.#underWay.has(id) ? [this.#underWay.get(id)] : [])];
    if (!expected.includes(found)) {
      return `${id} should be ${expected.map((state) => state ?? 'absent').join(' or ')}, and is ${found ?? 'absent'}`;
    }
    this.#underWay.delete(id);
    this.#promised.set(id, found);
    return undefined;
  }

  /** Forgets ids that are known to be absent. */
  tidy(): void {
    for (const [id, state] of this.#promised)
      if (state === undefined && !this.#underWay.has(id)) this.#promised.delete(id);
  }
}
