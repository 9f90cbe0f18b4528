/**
 * Records the networks from which each account has been used, so that wrong passwords from elsewhere do not lock out
 * the account's owner (contract 1.8).
 */
import { LRUCache } from 'lru-cache';
import type { LimitInput } from '../http/route.ts';

const KEPT = 10_000;

export class KnownAddresses {
  readonly #known = new LRUCache<string, true>({ max: KEPT });

  keyOf(input: LimitInput): string {
    const email = normal(input.param('email'));
    const place = placeOf(email, input.ip);
    return this.#known.has(place) ? `known ${place}` : `email ${email}`;
  }

  /** Returns the network to count a wrong password against; `undefined` if the account was used from that network. */
  strangerOf(input: LimitInput): string | undefined {
    return this.#known.has(placeOf(normal(input.param('email')), input.ip)) ? undefined : input.ip;
  }

  nameOf(email: string, ip: string): string | undefined {
    const place = placeOf(normal(email), ip);
    return this.#known.has(place) ? place : undefined;
  }

  /** Records that the account with this email was used from `ip`, a network as returned by `networkOf`. */
  add(email: string, ip: string): void {
    this.#known.set(placeOf(normal(email), ip), true);
  }
}

const normal = (email: string): string => email.trim().toLowerCase();
const placeOf = (email: string, ip: string): string => `${ip} ${email}`;
