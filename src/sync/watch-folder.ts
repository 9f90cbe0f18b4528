/** Repeats the sync after changes of the folder or the blog. */
import { watch } from 'node:fs';
import { sep } from 'node:path';

export interface WatchOptions {
  readonly directory: string;
  /** Runs the sync once. Must not reject. */
  readonly sync: () => Promise<void>;
  /** Returns true if a post has changed since the last call. Rejects if the blog does not answer. */
  readonly hasChanged: () => Promise<boolean>;
  /** Calls `changed` after changes of public posts; returns a function that ends it. */
  readonly listen: (changed: () => void) => () => void;
  readonly signal: AbortSignal;
}

/** An editor may write a file in pieces, and a cloud folder many files: the sync waits until nothing has changed for this time. */
const QUIET_MS = 300;
/** Longest wait for quiet. */
const MOST_MS = 1500;
/** Interval of the search for changed drafts, which cause no event. */
const POLL_MS = 5000;

/** Resolves once `signal` is aborted and the current run has ended. */
export async function watchFolder({ directory, sync, hasChanged, listen, signal }: WatchOptions): Promise<void> {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  const changed = () => {
    since ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.min(QUIET_MS, since + MOST_MS - Date.now())));
  };
  const run = () => {
    since = 0;
    running = running.then(sync);
  };
  const watcher = watch(directory, { recursive: true }, (_, name) => {
    if (!name?.split(sep).some((part) => part.startsWith('.') || part === 'node_modules')) changed();
  });
  const poll = setInterval(() => {
    hasChanged().then(
      (isNew) => isNew && changed(),
      () => undefined,
    );
  }, POLL_MS);
  const end = listen(changed);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  watcher.close();
  clearInterval(poll);
  clearTimeout(timer);
  end();
  await running;
}
