/** Exports after each change. Most changes arrive as events. Others, such as unpublishing, are found by polling. */

export interface WatchOptions {
  readonly origin: string;
  readonly subscribe: (heard: () => void) => () => void;
  readonly signs: () => readonly string[];
  /** Milliseconds between polls, each of which requests some stored pages. */
  readonly interval: number;
  /** Maximum milliseconds between runs, even without a change. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/** Runs `work` after each change until `signal` aborts. A run that fails or returns `again` is repeated later. */
export async function watch(
  { origin, subscribe, signs, interval, longest, signal }: WatchOptions,
  work: () => Promise<{ readonly again: boolean }>,
): Promise<void> {
  let seen: string | undefined;
  let ranAt = Date.now();
  let news = false;
  let isHeard = false;
  let wake = () => {};
  const stop = subscribe(() => {
    news = true;
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      // Polls before the run, so that a change during the run causes another run.
      const sign = await signOf(origin, signs()).catch(() => undefined);
      isHeard ||= news;
      news = false;
      const isChanged = isHeard || sign !== seen;
      if (sign !== undefined && (isChanged || Date.now() - ranAt > longest)) {
        isHeard = false;
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
