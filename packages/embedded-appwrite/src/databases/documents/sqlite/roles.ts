/** Maps roles to permanent numbers, so that the readers tables stay small. */
import type { Store } from '../../../sqlite/store.ts';

const KNOWN_LIMIT = 20_000;

export class Roles {
  readonly #store: Store;
  /** Contains only roles read outside a write, because a write may be rolled back. */
  readonly #known = new Map<string, number>();
  /** Roles without a number, e.g. of a user whom no document names. `intern` removes the role. */
  readonly #unknown = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  #read(role: string): number | undefined {
    const row = this.#store.prepare('SELECT number FROM roles WHERE role = ?').get(role);
    return row && Number(row.number);
  }

  /** Returns the numbers of roles that any document names. Do not call it within a write. */
  numbersOf(roles: readonly string[]): number[] {
    const numbers: number[] = [];
    for (const role of roles) {
      let number = this.#known.get(role);
      if (number === undefined && !this.#unknown.has(role)) number = this.#learn(role);
      if (number !== undefined) numbers.push(number);
    }
    return numbers;
  }

  #learn(role: string): number | undefined {
    const number = this.#read(role);
    if (number === undefined) {
      if (this.#unknown.size >= KNOWN_LIMIT) this.#unknown.clear();
      this.#unknown.add(role);
    } else {
      if (this.#known.size >= KNOWN_LIMIT) this.#known.clear();
      this.#known.set(role, number);
    }
    return number;
  }

  /** Returns the role's number, assigning one if necessary. Call within a write. */
  intern(role: string): number {
    const known = this.#known.get(role) ?? this.#read(role);
    if (known !== undefined) return known;
    this.#unknown.delete(role);
    return Number(this.#store.prepare('INSERT INTO roles (role) VALUES (?)').run(role).lastInsertRowid);
  }
}
