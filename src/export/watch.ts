/**
 * Waits until pages may have changed. Somebody who hears of posts says so at once; what he does not hear of, such as a
 * post that is unpublished, shows in the sitemap and its parts, which the server renders anew after every change of a post.
 */

export interface WatchOptions {
  /** Where the server answers. */
  readonly origin: string;
  /** Calls `onChange` when a post changed, until the function that it gives is called. */
  readonly subscribe: (heard: () => void) => () => void;
  /** Paths of the pages that are looked at. */
  readonly signs: () => readonly string[];
  /** Milliseconds between two looks, which cost the server some stored pages each. */
  readonly interval: number;
  /** Milliseconds after which there is a run all the same, for what they do not show. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/**
 * Runs `work` for each change until the signal; a run that failed, or that says it must be done again, is followed by
 * another at the next look.
 */
export async function watch(
  { origin, subscribe, signs, interval, longest, signal }: WatchOptions,
  work: () => Promise<{ readonly again: boolean }>,
): Promise<void> {
  let seen: string | undefined;
  let ranAt = Date.now();
  let news = false;
  let wake = () => {};
  const stop = subscribe(() => {
    news = true;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      // Looked at before the run: what changes while it runs is another change.
      const sign = await signOf(origin, signs()).catch(() => undefined);
      const isHeard = news;
      news = false;
      const isChanged = isHeard || sign !== seen;
      if (sign !== undefined && (isChanged || Date.now() - ranAt > longest)) {
        try {
          const { again } = await work();
          seen = again ? undefined : sign;
          ranAt = Date.now();
        } catch {
          seen = undefined;
        }
      }
      if (news || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, interval);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    stop();
  }
}

async function signOf(origin: string, paths: readonly string[]): Promise<string> {
  const signs = paths.map(async (path) => {
    const response = await fetch(`${origin}${path}`, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    if (response.status >= 500) throw new Error(`The site answered ${response.status}.`);
    return `${response.status} ${response.headers.get('etag')}`;
  });
  return (await Promise.all(signs)).join('\n');
}
