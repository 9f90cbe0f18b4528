/**
 * From where people have signed in. Wrong passwords are counted by e-mail address alone (contract 1.8), so that anybody
 * who knows one could keep its owner out; at an address where he has signed in before, his attempts are counted apart.
 */
import type { LimitInput } from '../http/rate-limits.ts';

/** The oldest are forgotten first; a restart forgets all, as it does the counters. */
const KEPT = 10_000;

export class FamiliarAddresses {
  readonly #known = new Set<string>();
  /** A request is counted and forgiven under one name, although it makes its address familiar in between. */
  readonly #keys = new WeakMap<LimitInput, string>();

  /** What a request to sign in is counted under. */
  keyOf(input: LimitInput): string {
    let key = this.#keys.get(input);
    if (key === undefined) {
      const email = normal(input.param('email'));
      const place = placeOf(email, input.ip);
      key = this.#known.has(place) ? `familiar ${place}` : `email ${email}`;
      this.#keys.set(input, key);
    }
    return key;
  }

  /** The owner of `email` has proved himself at `ip`, an address as limits count it. */
  add(email: string, ip: string): void {
    const place = placeOf(normal(email), ip);
    this.#known.delete(place);
    if (this.#known.size >= KEPT) this.#known.delete(this.#known.values().next().value as string);
    this.#known.add(place);
  }
}

const normal = (email: string): string => email.trim().toLowerCase();
const placeOf = (email: string, ip: string): string => `${ip} ${email}`;
