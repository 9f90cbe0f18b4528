import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@common-ink/http/log.ts';
import { pathsOfTag } from '#blog/routes/table.ts';
import { SITE } from '#blog/routes/tags.ts';
import type { Purge, PurgeCall, PurgeDriver } from './cdn-drivers.ts';
import { type Changed, type PendingPurge, PurgeQueue } from './purge-queue.ts';

export interface PurgerOptions {
  readonly driver: PurgeDriver;
  /** Public URL without a trailing slash. */
  readonly siteUrl: string;
  readonly log: Log;
  readonly pending?: PendingPurge;
  /** Returns the paths of stored pages with one of these tags, for CDNs that purge by URL only. */
  readonly pathsOf?: (tags: readonly string[]) => readonly string[];
  /** Milliseconds before each retry. If the last one fails, the purge waits for the next change. */
  readonly delays?: readonly number[];
  /** Timeout for each request, in milliseconds. */
  readonly timeout?: number;
}

export type Purger = ReturnType<typeof createPurger>;

/** Ten attempts over about three hours, which is longer than most outages of CDN APIs. */
const DELAYS = [1000, 5000, 15_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 3_600_000];
const SECOND = 1000;
const WORDS = { later: 'was not purged yet', given: 'was not purged and may show old pages' };
const LONGEST_WAIT = 3_600_000;

export function createPurger(options: PurgerOptions) {
  const { driver, siteUrl, log, pending, pathsOf = () => [], delays = DELAYS, timeout = 10_000 } = options;
  const { words = WORDS } = driver;
  const closing = new AbortController();
  const waiting = new PurgeQueue(driver);
  /** Purges that the CDN refused. They are not retried before a restart, because only an operator can fix the cause. */
  const refused = new PurgeQueue(driver);
  let current: PendingPurge | undefined;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    let isAway = false;
    while (!waiting.isEmpty && !isAway && !closing.signal.aborted) {
      const taken = waiting.take();
      current = taken;
      const outcomes = await callAll(taken);
      if (closing.signal.aborted) return;
      isAway = outcomes.has('away');
      // Queues the purge again, to be sent with the next change.
      if (isAway) waiting.add(taken);
      else if (outcomes.has('refused')) refused.add(taken);
      current = undefined;
    }
    working = undefined;
  }

  /**
   * Sends the requests one by one. Stops if the CDN is `away`, because each remaining request would also be retried for
   * hours.
   */
  async function callAll(owed: PendingPurge): Promise<Set<Outcome>> {
    const outcomes = new Set<Outcome>();
    for (const call of driver.calls(purgeOf(owed))) {
      outcomes.add(await insist(call));
      if (outcomes.has('away') || closing.signal.aborted) break;
    }
    return outcomes;
  }

  function purgeOf({ tags, paths, everything }: PendingPurge): Purge {
    if (driver.by === 'tags') return { tags, urls: [], everything };
    const wanted = everything ? [SITE] : tags;
    const named = [...new Set([...paths, ...wanted.flatMap(pathsOfTag), ...pathsOf(wanted)])];
    return { tags, urls: named.map((path) => siteUrl + path), everything: everything || named.length > driver.most };
  }

  async function insist(call: PurgeCall): Promise<Outcome> {
    for (const delay of [...delays, undefined]) {
      const fault = await attempt(call, AbortSignal.any([AbortSignal.timeout(timeout), closing.signal]));
      if (!fault) return 'purged';
      if (closing.signal.aborted) return 'away';
      if (delay === undefined || fault.isFinal) {
        log('error', `${driver.name} ${words.given}: ${fault.why}.`);
        return fault.isFinal ? 'refused' : 'away';
      }
      log('warn', `${driver.name} ${words.later}: ${fault.why}. Trying again.`);
      const wait = Math.min(Math.max(delay, fault.retryAfter ?? 0), LONGEST_WAIT);
      await sleep(wait, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
    return 'away';
  }

  function begin(): void {
    if (!waiting.isEmpty) working ??= Promise.resolve().then(work);
  }

  if (pending) waiting.add(pending);
  begin();
  return {
    /** Queues pages and returns immediately. A page queued twice is purged once. */
    purge(changed: Changed): void {
      waiting.add(changed);
      begin();
    },
    async idle(): Promise<void> {
      while (working && !closing.signal.aborted) await working;
    },
    close(): PendingPurge {
      closing.abort();
      if (current) waiting.add(current);
      waiting.add(refused.take());
      return waiting.take();
    },
  };
}

/** `away`: the CDN is down or busy. `refused`: another attempt cannot succeed. */
type Outcome = 'purged' | 'away' | 'refused';

interface Fault {
  readonly why: string;
  /** True if another attempt cannot succeed, for example because the token or the URL is wrong. */
  readonly isFinal: boolean;
  readonly retryAfter?: number;
}

async function attempt({ method, url, headers, body }: PurgeCall, signal: AbortSignal): Promise<Fault | undefined> {
  try {
    const response = await fetch(url, { method, headers, signal, redirect: 'error', ...(body && { body }) });
    const text = (await response.text()).slice(0, 300);
    if (response.ok) return undefined;
    const retryAfter = Number(response.headers.get('retry-after')) * SECOND;
    const isFinal = response.status < 500 && ![408, 425, 429].includes(response.status);
    return { why: `${response.status} ${text}`.trim(), isFinal, ...(retryAfter > 0 && { retryAfter }) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error), isFinal: false };
  }
}
