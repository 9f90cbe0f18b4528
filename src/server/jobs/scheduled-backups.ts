/** Takes backups by the clock, each in a process of its own that also proves it: the server goes on meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Log } from '@common-ink/http/log.ts';
import { noteFailed, readBackupRecord } from '#operations/backup/backup-record.ts';
import type { Configuration } from '../configuration.ts';

/** As `scripts/bootstrap.mjs` starts it: it takes less memory. */
const FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'];
/** Milliseconds after a start before a backup that is overdue: the start has enough to do. */
const SETTLING = 60_000;
/** Milliseconds before a backup that failed is tried again, unless the next one is due sooner. */
const RETRY = 3_600_000;
/** A timer takes no more than 24 days. */
const LONGEST_TIMER = 86_400_000;
/** Readers go first. */
const NICE = 10;
/** Characters of what a backup said that are kept of one that failed. */
const SAID = 2000;

export interface ScheduledBackups {
  /** Ends a backup that is under way; what it wrote so far is thrown away. */
  close(): Promise<void>;
}

export interface ScheduleOptions {
  readonly configuration: Pick<Configuration, 'dataDirectory' | 'backups'>;
  /** `scripts/backup.ts`. */
  readonly script: string;
  readonly log: Log;
}

/** Begins with the first backup when the last one is older than the interval. */
export function scheduleBackups({ configuration, script, log }: ScheduleOptions): ScheduledBackups | undefined {
  const { dataDirectory, backups } = configuration;
  if (!backups) return undefined;
  const { every, directory, keep } = backups;
  const settling = Math.min(SETTLING, every);
  if (!existsSync(script)) {
    log('warn', `No backups are taken: ${script} is missing. Is this the whole checkout?`);
    return undefined;
  }
  let timer: NodeJS.Timeout;
  let child: ChildProcess | undefined;
  let isClosed = false;

  /** @param at milliseconds since 1970. */
  function wakeAt(at: number): void {
    const wait = Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER);
    timer = setTimeout(() => (Date.now() < at ? wakeAt(at) : void run()), wait).unref();
  }

  async function run(): Promise<void> {
    const begun = Date.now();
    const why = await backUp();
    if (isClosed) return;
    if (why === undefined) return wakeAt(begun + every);
    log('error', 'The scheduled backup failed; it is tried again.', why);
    try {
      noteFailed(dataDirectory, { at: new Date().toISOString(), why });
    } catch (error) {
      log('warn', 'That a backup failed could not be written down.', error);
    }
    wakeAt(begun + Math.min(every, RETRY));
  }

  /** Gives what went wrong; undefined when there is a new backup, and it is good. */
  async function backUp(): Promise<string | undefined> {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      return (error as Error).message;
    }
    child = spawn(process.execPath, [...FLAGS, script, directory, '--keep', keep, '--check'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-SAID);
      });
    }
    try {
      if (child.pid !== undefined) setPriority(child.pid, NICE);
    } catch {
      // It has ended already, or may not be told.
    }
    const code = await once(child, 'close').then(
      ([ended]) => ended as number | null,
      () => null,
    );
    child = undefined;
    if (code !== 0) return said.trim() || 'The backup said nothing.';
    for (const line of said.trim().split('\n')) log('info', line);
    return undefined;
  }

  const { last, failed } = readBackupRecord(dataDirectory);
  const due = last ? Date.parse(last.made) + every : 0;
  const retry = failed && (!last || failed.at > last.made) ? Date.parse(failed.at) + Math.min(every, RETRY) : 0;
  wakeAt(Math.max(Date.now() + settling, Math.min(due, Date.now() + every), Math.min(retry, Date.now() + every)));
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (!child) return;
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
    },
  };
}
