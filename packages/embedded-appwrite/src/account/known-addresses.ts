/**
 * From where people have signed up and in. Wrong passwords are counted by e-mail address alone (contract 1.8), so that anybody
 * who knows one could keep its owner out; at an address where they have signed in before, their attempts are counted apart,
 * neither with those of others at that address nor behind them.
 */
import { LRUCache } from 'lru-cache';
import type { LimitInput } from '../http/access/rate-limits.ts';

/** The least recently used are forgotten first; a restart forgets all, as it does the counters. */
const KEPT = 10_000;

export class KnownAddresses {
  readonly #known = new LRUCache<string, true>({ max: KEPT });

  /** What a request to sign in is counted under. */
  keyOf(input: LimitInput): string {
    const email = normal(input.param('email'));
    const place = placeOf(email, input.ip);
    return this.#known.has(place) ? `known ${place}` : `email ${email}`;
  }

  /** The address that is to blame for a failure, where it is not the owner's own. */
  strangerOf(input: LimitInput): string | undefined {
    return this.#known.has(placeOf(normal(input.param('email')), input.ip)) ? undefined : input.ip;
  }

  /** A name for the owner of `email` at `ip`, where they have proved themselves. */
  nameOf(email: string, ip: string): string | undefined {
    const place = placeOf(normal(email), ip);
    return this.#known.has(place) ? place : undefined;
  }

  /** The owner of `email` has proved themselves at `ip`, an address as limits count it. */
  add(email: string, ip: string): void {
    this.#known.set(placeOf(normal(email), ip), true);
  }
}

const normal = (email: string): string => email.trim().toLowerCase();
const placeOf = (email: string, ip: string): string => `${ip} ${email}`;
