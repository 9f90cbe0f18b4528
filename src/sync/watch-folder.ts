/** Repeats the sync whenever the folder or the blog changes. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import { NOTES } from './agreements.ts';
import { reasonOf } from './reasons.ts';

export interface WatchOptions {
  readonly directory: string;
  /**
   * Runs the sync once. A rejected run is repeated later. After reading the folder, the run calls `isConsistent`. If
   * that returns false, git may have switched branches meanwhile, so the run must reject without writing anything.
   */
  readonly sync: (isConsistent: () => boolean) => Promise<unknown>;
  /** Returns true if a post has changed since the last call. Rejects if the blog does not respond. */
  readonly hasChanged: () => Promise<boolean>;
  /** Calls `changed` when a public post changes. Returns a function that stops listening. */
  readonly listen: (changed: () => void) => () => void;
  /** Called with each new reason why runs fail, and with a message once they succeed again. */
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The sync waits until nothing has changed for this long, because editors write files in pieces and cloud services
 * write many files.
 */
const QUIET_MS = 300;
/** Maximum time that the sync waits while changes continue. */
const MOST_MS = 1500;
/**
 * First and longest interval at which drafts are polled, because changes to drafts cause no events. The interval
 * triples while nothing changes.
 */
const [POLL_MS, MOST_POLL_MS] = [5000, 30_000];
/**
 * Interval between runs when there are no events. Some network file systems send none, and the deletion of a draft
 * causes none.
 */
const ANYWAY_MS = 10 * 60_000;
/** First and longest wait after a failed run. The wait doubles with each failure. */
const [RETRY_MS, MOST_RETRY_MS] = [1000, 60_000];
/** A git lock older than this is ignored, because a killed git process must have left it behind. */
const LOCK_MS = 60_000;
/** Maximum number of consecutive runs that are given up because files changed while they were read. */
const MOST_GIVEN_UP = 5;

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
  /** False once a file has changed since the current run began. */
  let isSame = true;
  let givenUp = 0;
  const isLocked = () => lock !== undefined && isFresh(lock);
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    // A response from the blog may arrive after the signal was aborted, and must not start another run.
    if (!signal.aborted) timer = setTimeout(run, milliseconds);
  };
  const changed = () => {
    pollMs = POLL_MS;
    since ||= Date.now();
    later(Math.max(0, Math.min(QUIET_MS, since + MOST_MS - Date.now())));
  };
  /** Schedules a run, unless a change during the last run has already scheduled an earlier one. */
  const again = (milliseconds: number): void => {
    if (!since) later(milliseconds);
  };
  const watching = createWatching(directory, () => {
    isSame = false;
    changed();
  });
  const once = async (): Promise<void> => {
    // Waits while git switches branches, because the folder then contains files of both branches.
    if (isLocked()) return later(QUIET_MS);
    since = 0;
    isSame = true;
    let isGivenUp = false;
    const isConsistent = () => {
      isGivenUp = isLocked() || (!isSame && givenUp < MOST_GIVEN_UP);
      givenUp = isGivenUp ? givenUp + 1 : 0;
      return !isGivenUp;
    };
    try {
      watching.renew();
      if (!existsSync(join(directory, NOTES)))
        throw new OperatorError(
          `${directory} has lost its ${NOTES}: is the disk mounted? If so, start the sync again to compare everything.`,
        );
      await sync(isConsistent);
      if (reported) report('The sync works again.');
      [retryMs, reported] = [RETRY_MS, ''];
      again(ANYWAY_MS);
    } catch (error) {
      if (isGivenUp) return again(QUIET_MS);
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
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearTimeout(poll);
  end();
  clearTimeout(timer);
  await running;
  clearTimeout(timer);
  watching.close();
}

/** Watches a folder. `renew` starts watching, and starts anew if the folder was replaced, for example by a remount. */
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

/** Returns the path of git's lock file, which exists while git is changing files; undefined outside a work tree. */
function gitLock(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return join(directory, '.git', 'index.lock');
  const above = dirname(directory);
  return above === directory ? undefined : gitLock(above);
}

function isFresh(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < LOCK_MS;
}
