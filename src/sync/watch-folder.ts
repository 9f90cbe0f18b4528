/** Repeats the sync after changes of the folder or the blog. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { NOTES } from './agreements.ts';
import { reasonOf } from './reasons.ts';

export interface WatchOptions {
  readonly directory: string;
  /** Runs the sync once. A run that rejects is repeated. */
  readonly sync: () => Promise<unknown>;
  /** Returns true if a post has changed since the last call. Rejects if the blog does not answer. */
  readonly hasChanged: () => Promise<boolean>;
  /** Calls `changed` after changes of public posts; returns a function that ends it. */
  readonly listen: (changed: () => void) => () => void;
  /** Is told once why runs fail, and that they succeed again. */
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** An editor may write a file in pieces, and a cloud folder many files: the sync waits until nothing has changed for this time. */
const QUIET_MS = 300;
/** Longest wait for quiet. */
const MOST_MS = 1500;
/** Intervals of the search for changed drafts, which cause no event: they triple while nothing changes. */
const [POLL_MS, MOST_POLL_MS] = [5000, 30_000];
/** Interval of runs without an event: some file systems of other machines report none, and a deleted draft causes none. */
const ANYWAY_MS = 10 * 60_000;
/** Waits after failed runs. */
const [RETRY_MS, MOST_RETRY_MS] = [1000, 60_000];
/** A lock of this age was left by a git that was killed. */
const LOCK_MS = 60_000;

const isHidden = (path: string): boolean =>
  path.split(sep).some((part) => part.startsWith('.') || part === 'node_modules');

/** Resolves once `signal` is aborted and the current run has ended. */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const { directory, sync, hasChanged, listen, report, signal } = options;
  const lock = gitLock(directory);
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let retryMs = RETRY_MS;
  let pollMs = POLL_MS;
  let poll: NodeJS.Timeout | undefined;
  let reported = '';
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
  const changed = () => {
    pollMs = POLL_MS;
    since ||= Date.now();
    later(Math.max(0, Math.min(QUIET_MS, since + MOST_MS - Date.now())));
  };
  /** Runs later, unless a change during the last run causes a run sooner. */
  const again = (milliseconds: number) => since || later(milliseconds);
  const watching = createWatching(directory, changed);
  const once = async (): Promise<void> => {
    // Half of another branch is there while git switches to it.
    if (lock && isFresh(lock)) return later(QUIET_MS);
    since = 0;
    try {
      watching.renew();
      if (!existsSync(join(directory, NOTES)))
        throw new OperatorError(
          `${directory} has lost its ${NOTES}: is the disk mounted? If so, start the sync again to compare everything.`,
        );
      await sync();
      if (reported) report('The sync succeeds again.');
      [retryMs, reported] = [RETRY_MS, ''];
      again(ANYWAY_MS);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== reported) report(reason);
      reported = reason;
      again(retryMs);
      retryMs = Math.min(2 * retryMs, MOST_RETRY_MS);
    }
  };
  const run = () => {
    running = running.then(once);
  };
  const search = async (): Promise<void> => {
    pollMs = Math.min(3 * pollMs, MOST_POLL_MS);
    if (await hasChanged().catch(() => false)) changed();
    if (!signal.aborted) poll = setTimeout(search, pollMs);
  };
  poll = setTimeout(search, POLL_MS);
  const end = listen(changed);
  changed();
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearTimeout(poll);
  end();
  clearTimeout(timer);
  await running;
  clearTimeout(timer);
  watching.close();
}

/** Watches a folder, also one that takes the place of another: a disk that is mounted again, a folder made anew. */
function createWatching(directory: string, changed: () => void) {
  let watcher: FSWatcher | undefined;
  let watched = '';
  return {
    /** @throws OperatorError if the folder is gone or cannot be watched */
    renew(): void {
      const found = statSync(directory, { throwIfNoEntry: false });
      if (!found) throw new OperatorError(`There is no folder at ${directory}.`);
      const identity = `${found.dev} ${found.ino}`;
      if (watcher && identity === watched) return;
      watcher?.close();
      watcher = undefined;
      try {
        watcher = watch(directory, { recursive: true, ignore: isHidden }, (_, name) => {
          if (!isHidden(name ?? '')) changed();
        }).on('error', changed);
      } catch (error) {
        throw new OperatorError(`${directory} cannot be watched: ${(error as Error).message}`);
      }
      watched = identity;
    },
    close: () => watcher?.close(),
  };
}

/** Returns the path of the lock that git holds while it changes files; undefined outside of a work tree. */
function gitLock(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return join(directory, '.git', 'index.lock');
  const above = dirname(directory);
  return above === directory ? undefined : gitLock(above);
}

function isFresh(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < LOCK_MS;
}
