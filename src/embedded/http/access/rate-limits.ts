/**
 * Fixed-window request counters, aligned to the clock (contract 1.8). In memory: on one process, what a restart forgives
 * is worth less than a write to disk for each request.
 */
import { hash } from 'node:crypto';
import { WindowCounters } from '#http/limits/window-counters.ts';
import type { BodyLimitInput, RateLimit } from '../route.ts';

const DEFAULT_WINDOW = 3600;
/** Bounds the memory a flood of invented e-mail addresses can take. */
const COUNTERS_KEPT = 100_000;
/** Longer names are kept as their digest, characters. */
const LONGEST_NAME = 120;

export type LimitInput = BodyLimitInput;

export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /**
   * Counts a request against limits and tells the state of the tightest one; `undefined` when none is to be shown.
   * @param counter whose limits they are: a route's pattern, or a name that is none.
   * @param enforced false for keys: nothing is counted, the state is that of a first request.
   */
  take(counter: string, limits: readonly RateLimit[], input: LimitInput, enforced: boolean): LimitState | undefined;
  /** Zeroes the counters whose limit says `resetOnSuccess`. */
  succeeded(counter: string, limits: readonly RateLimit[], input: LimitInput): void;
  /** Counts a failure against the limits that say `counts: 'failures'`. */
  failed(counter: string, limits: readonly RateLimit[], input: LimitInput): void;
}

/** The one of two states that is to be shown. */
export function tighter(one: LimitState | undefined, other: LimitState | undefined): LimitState | undefined {
  if (!one || !other) return one ?? other;
  return other.exceeded || (!one.exceeded && other.remaining < one.remaining) ? other : one;
}

/** @param clock milliseconds since 1970. */
export function createRateLimiter({
  enabled,
  clock = Date.now,
}: {
  enabled: boolean;
  clock?: () => number;
}): RateLimiter {
  /** In seconds since 1970. */
  const counters = new WindowCounters(COUNTERS_KEPT);

  /** `undefined` for what is not limited. */
  function nameOf(counter: string, index: number, limit: RateLimit, input: LimitInput): string | undefined {
    const own = limit.bodyKey ? limit.bodyKey(input) : limit.key ? limit.key(input) : input.ip;
    if (own === undefined) return undefined;
    const key = limit.counter === undefined ? `${counter} ${index} ${own}` : `shared ${limit.counter} ${own}`;
    // Counters are kept: nobody fills the memory with long addresses.
    return key.length > LONGEST_NAME ? hash('sha1', key, 'base64') : key;
  }

  const endOf = ({ window = DEFAULT_WINDOW }: RateLimit, seconds: number): number =>
    seconds - (seconds % window) + window;
  const now = (): number => Math.floor(clock() / 1000);

  return {
    take(counter, limits, input, enforced) {
      const seconds = now();
      let tightest: LimitState | undefined;
      limits.forEach((limit, index) => {
        const reset = endOf(limit, seconds);
        const key = enabled && enforced ? nameOf(counter, index, limit, input) : undefined;
        const cost = limit.cost?.(input) ?? 1;
        const used = key === undefined ? 0 : (counters.get(key, seconds)?.used ?? 0);
        const exceeded = key !== undefined && used + cost > limit.limit;
        if (limit.counts === 'failures') {
          if (!exceeded) return;
        } else if (key !== undefined) {
          counters.add(key, seconds, reset, cost);
        }
        tightest = tighter(tightest, {
          limit: limit.limit,
          remaining: Math.max(0, limit.limit - used - cost),
          reset,
          exceeded,
        });
      });
      return tightest;
    },
    succeeded(counter, limits, input) {
      limits.forEach((limit, index) => {
        const key = limit.resetOnSuccess ? nameOf(counter, index, limit, input) : undefined;
        if (key !== undefined) counters.forget(key);
      });
    },
    failed(counter, limits, input) {
      if (!enabled) return;
      const seconds = now();
      limits.forEach((limit, index) => {
        const key = limit.counts === 'failures' ? nameOf(counter, index, limit, input) : undefined;
        if (key !== undefined) counters.add(key, seconds, endOf(limit, seconds));
      });
    },
  };
}
