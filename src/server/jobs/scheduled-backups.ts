import { existsSync, mkdirSync } from 'node:fs';
import type { Log } from '@common-ink/http/log.ts';
import { noteFailed, readBackupRecord } from '#operations/backup/backup-record.ts';
import type { Configuration } from '../configuration.ts';
import { every } from './every.ts';
import { type RunningScript, startScript } from './start-script.ts';

/** V8 flags that save memory, the same as for `backup` in `scripts/bootstrap.mjs`. */
const FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'];
/** An overdue backup waits this long after the server starts, so that it does not slow down the startup. */
const SETTLING_MS = 60_000;
const RETRY_MS = 3_600_000;

export type ScheduledBackups = ReturnType<typeof scheduleBackups>;

export interface ScheduleOptions {
  readonly configuration: Pick<Configuration, 'dataDirectory' | 'backups'>;
  readonly script: string;
  readonly log: Log;
}

export function scheduleBackups({ configuration, script, log }: ScheduleOptions) {
  const { dataDirectory, backups } = configuration;
  if (!backups) return undefined;
  const { every: interval, directory, keep } = backups;
  const retry = Math.min(interval, RETRY_MS);
  if (!existsSync(script)) {
    log('warn', `The server makes no backups, because ${script} is missing. Is the checkout complete?`);
    return undefined;
  }
  let backup: RunningScript | undefined;
  let isClosed = false;

  async function run(): Promise<number | undefined> {
    const begun = Date.now();
    const why = await backUp();
    if (isClosed) return undefined;
    if (why === undefined) return begun + interval - Date.now();
    log('error', 'The scheduled backup failed; the server will try again.', why);
    try {
      noteFailed(dataDirectory, { at: new Date().toISOString(), why });
    } catch (error) {
      log('warn', 'Could not record that a backup failed.', error);
    }
    return begun + retry - Date.now();
  }

  /** Makes a backup. Returns undefined on success; if it fails, the script's output or the error message. */
  async function backUp(): Promise<string | undefined> {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      return (error as Error).message;
    }
    const parameters = [...FLAGS, script, directory, '--keep', keep, '--check'];
    backup = startScript(parameters, ['ignore', 'pipe', 'pipe']);
    const { ended, output } = backup;
    const code = await ended;
    backup = undefined;
    if (code !== 0) return output() || 'The backup gave no reason.';
    for (const line of output().split('\n')) log('info', line);
    return undefined;
  }

  const { last, failed } = readBackupRecord(dataDirectory);
  const dueIn = last ? Date.parse(last.made) + interval - Date.now() : 0;
  const retryIn = failed && (!last || failed.at > last.made) ? Date.parse(failed.at) + retry - Date.now() : 0;
  const first = Math.max(Math.min(SETTLING_MS, interval), Math.min(dueIn, interval), Math.min(retryIn, interval));
  const job = every(first, run);
  return {
    async close(): Promise<void> {
      isClosed = true;
      void job.stop();
      backup?.child.kill('SIGTERM');
      await backup?.ended;
    },
  };
}
