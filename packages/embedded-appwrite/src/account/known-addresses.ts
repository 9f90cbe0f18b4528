/**
 * Remembers the networks from which an account was used. Wrong passwords are counted by e-mail address (contract
 * 1.8), so a stranger could lock an owner out. Attempts from a known network are counted apart.
 */
import { LRUCache } from 'lru-cache';
import type { LimitInput } from '../http/access/rate-limits.ts';

/** The least recently used go first; a restart forgets all. */
const KEPT = 10_000;

export class KnownAddresses {
  readonly #known = new LRUCache<string, true>({ max: KEPT });

  /** Returns the counter of a request to sign in. */
  keyOf(input: LimitInput): string {
    const email = normal(input.param('email'));
    const place = placeOf(email, input.ip);
    return this.#known.has(place) ? `known ${place}` : `email ${email}`;
  }

  /** Returns the network that a failure counts for, `undefined` where the account was used before. */
  strangerOf(input: LimitInput): string | undefined {
    return this.#known.has(placeOf(normal(input.param('email')), input.ip)) ? undefined : input.ip;
  }

  /** Returns a name for the owner of `email` at `ip`, if the account was used there. */
  nameOf(email: string, ip: string): string | undefined {
    const place = placeOf(normal(email), ip);
    return this.#known.has(place) ? place : undefined;
  }

  /** Notes that the account of `email` was used at `ip`, an address as limits count it. */
  add(email: string, ip: string): void {
    this.#known.set(placeOf(normal(email), ip), true);
  }
}

const normal = (email: string): string => email.trim().toLowerCase();
const placeOf = (email: string, ip: string): string => `${ip} ${email}`;
