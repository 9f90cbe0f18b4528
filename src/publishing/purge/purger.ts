/** Tells the CDN what changed: behind everybody's back, one call after the other, again when it fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../page-store.ts';
import { SITE } from '../tags.ts';
import type { PurgeCall, PurgeDriver } from './drivers.ts';

export interface PurgerOptions {
  readonly driver: PurgeDriver;
  /** The site's public address without a slash at the end. */
  readonly siteUrl: string;
  readonly log: Log;
  /** Milliseconds to wait before each further attempt at a call that failed; then it is given up. */
  readonly delays?: readonly number[];
  /** Milliseconds that one call may take. */
  readonly timeout?: number;
}

export interface Purger {
  /** Queues and returns at once. What is named twice before its turn is purged once. */
  purge(changed: { readonly tags: readonly string[]; readonly paths: readonly string[] }): void;
  /** Ends when nothing is queued or under way. */
  idle(): Promise<void>;
  /** Gives up what waits for another attempt. */
  close(): void;
}

/** Ten attempts over about three hours: longer than CDNs' APIs are away. */
const DELAYS = [1000, 5000, 15_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 3_600_000];
const SECOND = 1000;

export function createPurger({ driver, siteUrl, log, delays = DELAYS, timeout = 10_000 }: PurgerOptions): Purger {
  let tags = new Set<string>();
  let paths = new Set<string>();
  let working: Promise<void> | undefined;
  const closing = new AbortController();

  async function work(): Promise<void> {
    while ((tags.size > 0 || paths.size > 0) && !closing.signal.aborted) {
      const urls = [...paths].map((path) => siteUrl + path);
      const purge = { tags: [...tags], urls, everything: tags.has(SITE) };
      tags = new Set();
      paths = new Set();
      for (const call of driver.calls(purge)) await insist(call);
    }
    working = undefined;
  }

  async function insist(call: PurgeCall): Promise<void> {
    for (const delay of [...delays, undefined]) {
      const fault = await attempt(call, timeout);
      if (!fault || closing.signal.aborted) return;
      if (delay === undefined || fault.isFinal) {
        log('error', `${driver.name} was not purged and may show old pages: ${fault.why}.`);
        return;
      }
      log('warn', `${driver.name} was not purged yet: ${fault.why}. Trying again.`);
      const wait = Math.max(delay, fault.retryAfter ?? 0);
      await sleep(wait, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (closing.signal.aborted) return;
    }
  }

  return {
    purge(changed) {
      for (const tag of changed.tags) tags.add(tag);
      for (const path of changed.paths) paths.add(path);
      working ??= Promise.resolve().then(work);
    },
    async idle() {
      while (working) await working;
    },
    close: () => closing.abort(),
  };
}

interface Fault {
  readonly why: string;
  /** Trying again cannot help: the token or the address is wrong. */
  readonly isFinal: boolean;
  /** Milliseconds. */
  readonly retryAfter?: number;
}

async function attempt({ method, url, headers, body }: PurgeCall, timeout: number): Promise<Fault | undefined> {
  try {
    const signal = AbortSignal.timeout(timeout);
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
