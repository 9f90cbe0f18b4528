/** Roles as numbers, so that the table of who may read what stays small. A number, once given, stays. */
import type { Store } from '../../../sqlite/store.ts';

const KNOWN_LIMIT = 20_000;

export class Roles {
  readonly #store: Store;
  /** Only what was read outside a write: what a write numbers may yet be undone. */
  readonly #known = new Map<string, number>();
  /** Roles without a number, e.g. of a user whom no document names. Giving one takes the role out. */
  readonly #unknown = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  #read(role: string): number | undefined {
    const row = this.#store.prepare('SELECT number FROM roles WHERE role = ?').get(role);
    return row && Number(row.number);
  }

  /** Numbers of those of the roles that any document names. Not to be called within a write. */
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

  /** The role's number, given now if it has none. Within a write. */
  intern(role: string): number {
    const known = this.#known.get(role) ?? this.#read(role);
    if (known !== undefined) return known;
    this.#unknown.delete(role);
    return Number(this.#store.prepare('INSERT INTO roles (role) VALUES (?)').run(role).lastInsertRowid);
  }
}
