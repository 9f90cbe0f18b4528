/** Records what the server promises: acknowledged writes are complete, interrupted ones complete or without effect. */
export class Ledger {
  /** Digests of documents or files by id; undefined if the document or file must not exist. */
  readonly #promised = new Map<string, string | undefined>();
  readonly #underWay = new Map<string, string | undefined>();

  get present(): string[] {
    return [...this.#promised].filter(([, state]) => state !== undefined).map(([id]) => id);
  }

  get settled(): string[] {
    return this.present.filter((id) => !this.#underWay.has(id));
  }

  get ids(): ReadonlySet<string> {
    return new Set([...this.#promised.keys(), ...this.#underWay.keys()]);
  }

  /** Calls `write`. Once the server acknowledges it, records `state` as promised. A failed write stays under way. */
  async write(id: string, state: string | undefined, write: () => Promise<void>): Promise<void> {
    this.#underWay.set(id, state);
    await write();
    this.#underWay.delete(id);
    this.#promised.set(id, state);
  }

  /** Checks the state found after a restart. Returns a message if it is unexpected, else records it as promised. */
  check(id: string, found: string | undefined): string[] {
    const expected = [this.#promised.get(id), ...(this.#underWay.has(id) ? [this.#underWay.get(id)] : [])];
    if (!expected.includes(found)) return [`${id} should be ${expected.join(' or ')}, and is ${found}`];
    this.#underWay.delete(id);
    this.#promised.set(id, found);
    return [];
  }

  tidy(): void {
    for (const [id, state] of this.#promised) {
      if (state === undefined && !this.#underWay.has(id)) this.#promised.delete(id);
    }
  }
}
