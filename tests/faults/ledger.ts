/** Records the server's promises: an answered write is complete; an interrupted one happened in full or not at all. */
export class Ledger {
  /** Digests of documents or files by id; undefined if it must not exist. */
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

  /** Writes `state`, and records the promise once the write is answered. An interrupted write stays under way. */
  async write(id: string, state: string | undefined, write: () => Promise<void>): Promise<void> {
    this.#underWay.set(id, state);
    await write();
    this.#underWay.delete(id);
    this.#promised.set(id, state);
  }

  /** Compares with the state found after a restart, which becomes the promise. Returns a fault if they differ. */
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
