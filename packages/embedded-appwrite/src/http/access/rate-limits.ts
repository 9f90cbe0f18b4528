/** Rate limits in fixed windows (contract 1.8). Counters are kept in memory only, which saves a write per request. */
import { hash } from 'node:crypto';
import { siteOf } from '@common-ink/http/client-address.ts';
import { WindowCounters } from '@common-ink/http/limits/window-counters.ts';
import type { LimitInput, RateLimit } from '../route.ts';

const DEFAULT_WINDOW = 3600;
/** Maximum counters per window length, to limit memory. Names beyond the maximum share counters. */
const COUNTERS_KEPT = 100_000;
/** Maximum length of a counter's name in characters; a longer name is replaced by its digest. */
const LONGEST_NAME = 120;
/** An IPv6 site (/48) has many networks (/64), so its limit is this multiple of one network's limit. */
const NETWORKS_OF_SITE = 10;

export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
  readonly refusal: string | undefined;
}

/** A request's outcome: `made` for a 201, `failed` for a wrong guess. */
export type Outcome = 'made' | 'failed' | 'other';

export interface Taken {
  /** State of the tightest limit; `undefined` if the response reports no limit. */
  readonly state: LimitState | undefined;
  /** Removes the request from its counters or resets them, depending on the outcome (see `RateLimit`). Call it once. */
  settle(outcome: Outcome): void;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function tighter(one: LimitState | undefined, other: LimitState | undefined): LimitState | undefined {
  if (!one || !other) return one ?? other;
  return other.exceeded || (!one.exceeded && other.remaining < one.remaining) ? other : one;
}

interface Counted {
  readonly limit: RateLimit;
  readonly counters: WindowCounters;
  readonly name: string | undefined;
  readonly most: number;
  readonly cost: number;
  readonly used: number;
  readonly until: number;
}

const isExceeded = ({ name, used, cost, most }: Counted): boolean => name !== undefined && used + cost > most;

export function createRateLimiter({ enabled, clock = () => Date.now() }: { enabled: boolean; clock?: () => number }) {
  const byWindow = new Map<number, WindowCounters>();

  function countersOf({ window = DEFAULT_WINDOW }: RateLimit): WindowCounters {
    const kept = byWindow.get(window) ?? new WindowCounters(COUNTERS_KEPT, window);
    byWindow.set(window, kept);
    return kept;
  }

  const keyOf = ({ bodyKey, key }: RateLimit, input: LimitInput): string | undefined =>
    bodyKey ? bodyKey(input) : key ? key(input) : input.ip;

  /**
   * Returns counter names with their limits: one for the key and, if it contains an IPv6 network, one for the /48 site.
   */
  function namesOf(counter: string, index: number, limit: RateLimit, input: LimitInput) {
    const named = (key: string, networks: number) => {
      const prefix = limit.counter === undefined ? `${counter} ${index}` : `shared ${limit.counter}`;
      const name = networks === 1 ? `${prefix} ${key}` : `${prefix} site ${key}`;
      const most = limit.limit * networks;
      return { name: name.length > LONGEST_NAME ? hash('sha1', name, 'base64') : name, most };
    };
    const own = keyOf(limit, input);
    if (own === undefined) return [];
    const site = siteOf(input.ip);
    const wide = site === input.ip ? own : keyOf(limit, { ...input, ip: site });
    return wide === undefined || wide === own ? [named(own, 1)] : [named(own, 1), named(wide, NETWORKS_OF_SITE)];
  }

  function look(counter: string, limits: readonly RateLimit[], input: LimitInput, counts: boolean): Counted[] {
    const seconds = Math.floor(clock() / 1000);
    return limits.flatMap((limit, index): Counted[] => {
      const counters = countersOf(limit);
      const cost = limit.cost?.(input) ?? 1;
      if (!counts) {
        const { until } = counters.get('', seconds);
        return [{ limit, counters, cost, name: undefined, most: limit.limit, used: 0, until }];
      }
      return namesOf(counter, index, limit, input).map((each) => ({
        ...{ limit, counters, cost, ...each },
        ...counters.get(each.name, seconds),
      }));
    });
  }

  function stateOf(counted: Counted): LimitState | undefined {
    const { limit, most, used, cost, until } = counted;
    const exceeded = isExceeded(counted);
    if (!exceeded && (limit.quiet || limit.counts === 'failures')) return undefined;
    const remaining = Math.max(0, most - used - cost);
    return { limit: most, remaining, reset: until, exceeded, refusal: limit.refusal };
  }

  return {
    /**
     * Counts a request against limits, unless that would exceed one of them: refused requests are not counted.
     * @param counter the route's pattern, or another name for the counters of these limits
     * @param enforced false for callers with a server key: counts nothing and returns the state of a first request
     */
    take(counter: string, limits: readonly RateLimit[], input: LimitInput, enforced: boolean): Taken {
      const all = look(counter, limits, input, enabled && enforced);
      const state = all.map(stateOf).reduce(tighter, undefined);
      const added = state?.exceeded ? [] : all.filter(({ name }) => name !== undefined);
      for (const { counters, name = '', until, cost } of added) counters.add(name, until - 1, cost);
      return {
        state,
        settle(outcome) {
          for (const { limit, counters, name = '', until, cost } of added) {
            if (limit.counts === 'failures' && outcome !== 'failed') counters.takeBack(name, until, cost);
            if (limit.resetOnSuccess && outcome === 'made') counters.forget(name);
          }
        },
      };
    },
    /** Returns true if a request would be refused, without counting it. */
    isExceeded: (counter: string, limits: readonly RateLimit[], input: LimitInput): boolean =>
      look(counter, limits, input, enabled).some(isExceeded),
  };
}
