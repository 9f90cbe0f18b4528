/** Publishes and unpublishes posts at their hours (docs/decisions/024-scheduled-posts.md). */

import type { Log } from '@common-ink/http/log.ts';
import type { Appointment, Outcome, Schedule } from '#backend/schedule/schedule.ts';
import { faultOf } from '#blog/errors.ts';
import { every } from './every.ts';

export interface ScheduleOptions {
  readonly schedule: Schedule;
  /** Called after each change of a post; `isOurs` is false when another instance has made it. */
  readonly published: (slug: string, isGone: boolean, isOurs: boolean) => Promise<void>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Between two looks at the clock, which may be stopped or set while an hour is awaited. */
  readonly tickMs?: number;
}

export interface Scheduler {
  /** Call it when something was written: the next hour may be another. */
  look(): void;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

const SECOND = 1000;
/** The backend is asked this often for hours that no write reported. */
const LOOK_AFTER_MS = 3600 * SECOND;
/** Several writes are one reason to look. */
const PAUSE_MS = 50;
/** Between attempts while the backend does not answer. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [500, 10 * SECOND];
/** A post later than this is reported. */
const LATE_MS = 5 * SECOND;
/** Posts published at the same time. */
const WIDTH = 4;

const keyOf = ({ id, action }: Appointment): string => `${action} ${id}`;

/** Begins at once, with what became due meanwhile. */
export function keepSchedule({
  schedule,
  published,
  log,
  now = Date.now,
  tickMs = SECOND,
}: ScheduleOptions): Scheduler {
  let isStopped = false;
  /** The next hour of a post. */
  let next: number | undefined;
  let lookAt = 0;
  let retry = FIRST_RETRY_MS;
  // A post whose change is stored has left the list of hours, so failed work is kept here.
  const unfinished = new Map<string, Appointment>();
  const exposed = new Set<string>();

  /** Returns the milliseconds until the next look at the clock. */
  async function run(): Promise<number> {
    if (now() < lookAt && (next === undefined || now() < next)) return pause();
    lookAt = now() + LOOK_AFTER_MS;
    try {
      await work();
      retry = FIRST_RETRY_MS;
      return pause();
    } catch (error) {
      const { code, message } = faultOf(error);
      if (code === 401 || code === 403) {
        log(
          'warn',
          `Posts are not published at their hours: ${message} Give the key documents and files, each read and write.`,
        );
        next = undefined;
        return pause();
      }
      // Only the first failure is logged.
      if (retry === FIRST_RETRY_MS)
        log('warn', `Posts could not be published at their hours; it is tried again. ${message}`);
      lookAt = 0;
      const wait = retry;
      retry = Math.min(retry * 2, LAST_RETRY_MS);
      return wait;
    }
  }

  /** Timers stand still while the machine sleeps, so the clock is read at every tick. */
  function pause(): number {
    return next === undefined ? lookAt - now() : Math.min(next - now(), lookAt - now(), tickMs);
  }

  async function work(): Promise<void> {
    const upcoming = await schedule.upcoming(now());
    for (const appointment of upcoming.due) unfinished.set(keyOf(appointment), appointment);
    const tasks = [
      ...[...unfinished.values()].map((appointment) => () => keep(appointment)),
      ...[...exposed].map((id) => () => hidePictures(id)),
    ].values();
    const faults: unknown[] = [];
    const worker = async () => {
      for (const task of tasks) if (!isStopped) await task().catch((error: unknown) => faults.push(error));
    };
    await Promise.all(Array.from({ length: WIDTH }, worker));
    if (faults.length > 0) throw faults[0];
    ({ next } = upcoming);
  }

  async function keep(appointment: Appointment): Promise<void> {
    const { id, action, at } = appointment;
    const outcome: Outcome = await schedule.keep(appointment);
    const late = now() - at;
    if (outcome === 'done') {
      const what = action === 'publish' ? 'was published' : 'was taken down';
      if (late > LATE_MS)
        log(
          'warn',
          `${id} ${what} ${Math.round(late / SECOND)} seconds after its hour, ${new Date(at).toISOString()}.`,
        );
      else log('info', `${id} ${what} at its hour.`);
    }
    const isKept = outcome !== 'dropped';
    if (isKept) await published(id, action === 'unpublish', outcome === 'done');
    unfinished.delete(keyOf(appointment));
    if (isKept && action === 'unpublish') await hidePictures(id);
  }

  async function hidePictures(id: string): Promise<void> {
    exposed.add(id);
    await schedule.hidePictures(id);
    exposed.delete(id);
  }

  const job = every(0, run);
  return {
    look() {
      lookAt = 0;
      job.wake(PAUSE_MS);
    },
    stop() {
      isStopped = true;
      return job.stop();
    },
  };
}
