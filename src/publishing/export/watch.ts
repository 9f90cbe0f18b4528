/** Waits until pages may have changed: the sitemap is rendered anew after every change of a post. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface WatchOptions {
  /** Where the server answers. */
  readonly origin: string;
  /** Milliseconds between two looks, which cost the server a stored page each. */
  readonly interval: number;
  /** Milliseconds after which there is a run all the same, for what the sitemap does not show. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/** Runs `work` for each change until the signal; a run that failed is tried again at the next look. */
export async function watch(
  { origin, interval, longest, signal }: WatchOptions,
  work: () => Promise<void>,
): Promise<void> {
  let seen: string | undefined;
  let ranAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    // Looked at before the run: what changes while it runs is another change.
    const sign = await signOf(origin).catch(() => undefined);
    if (sign !== undefined && (sign !== seen || Date.now() - ranAt > longest)) {
      try {
        await work();
        [seen, ranAt] = [sign, Date.now()];
      } catch {
        seen = undefined;
      }
    }
    await sleep(interval, undefined, { signal }).catch(() => undefined);
  }
}

async function signOf(origin: string): Promise<string> {
  const response = await fetch(`${origin}/sitemap.xml`, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
  return `${response.status} ${response.headers.get('etag')}`;
}
