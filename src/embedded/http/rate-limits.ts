/**
 * Fixed-window request counters, aligned to the clock (contract 1.8). They live in memory: a restart forgives, which on
 * one process is worth less than a write to disk for each request.
 */
import { hash } from 'node:crypto';
import type { RateLimit } from './route.ts';

const DEFAULT_WINDOW = 3600;
/** Bounds the memory a flood of invented e-mail addresses can take. */
const COUNTERS_KEPT = 100_000;
/** Longer names are kept as their digest, characters. */
const LONGEST_NAME = 120;

interface Counter {
  /** Seconds since 1970 at which its window began. */
  start: number;
  used: number;
}

export type LimitInput = Parameters<NonNullable<RateLimit['key']>>[0];

export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts a request against the limits of its route and tells the state of the tightest one.
   * @param enforced false for keys: nothing is counted, the state is that of a first request.
   */
  take(route: string, limits: readonly RateLimit[], input: LimitInput, enforced: boolean): LimitState;
  /** Zeroes the counters whose limit says `resetOnSuccess`. */
  succeeded(route: string, limits: readonly RateLimit[], input: LimitInput): void;
}

/** @param clock milliseconds since 1970. */
export function createRateLimiter({
  enabled,
  clock = Date.now,
}: {
  enabled: boolean;
  clock?: () => number;
}): RateLimiter {
  const counters = new Map<string, Counter>();

  function name(route: string, index: number, limit: RateLimit, input: LimitInput): string {
    const key = `${route} ${index} ${limit.key ? limit.key(input) : input.ip}`;
    // Counters are kept: nobody fills the memory with long addresses.
    return key.length > LONGEST_NAME ? hash('sha1', key, 'base64') : key;
  }

  function counter(key: string, start: number): Counter {
    const found = counters.get(key);
    if (found?.start === start) return found;
    counters.delete(key);
    if (counters.size >= COUNTERS_KEPT) counters.delete(counters.keys().next().value as string);
    const fresh = { start, used: 0 };
    counters.set(key, fresh);
    return fresh;
  }

  return {
    take(route, limits, input, enforced) {
      const seconds = Math.floor(clock() / 1000);
      let tightest: LimitState | undefined;
      limits.forEach((limit, index) => {
        const window = limit.window ?? DEFAULT_WINDOW;
        const start = seconds - (seconds % window);
        let used = 0;
        if (enabled && enforced) {
          const counted = counter(name(route, index, limit, input), start);
          used = counted.used;
          counted.used++;
        }
        const state: LimitState = {
          limit: limit.limit,
          remaining: Math.max(0, limit.limit - used - 1),
          reset: start + window,
          exceeded: used >= limit.limit,
        };
        if (!tightest || state.exceeded || (!tightest.exceeded && state.remaining < tightest.remaining))
          tightest = state;
      });
      return tightest as unknown as LimitState;
    },
    succeeded(route, limits, input) {
      limits.forEach((limit, index) => {
        if (limit.resetOnSuccess) counters.delete(name(route, index, limit, input));
      });
    },
  };
}
