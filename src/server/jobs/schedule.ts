/** Publishes and unpublishes posts at their scheduled times (docs/decisions/024-scheduled-posts.md). */

import type { Log } from '@common-ink/http/log.ts';
import type { Appointment, Outcome, Schedule } from '#backend/schedule/schedule.ts';
import { faultOf } from '#blog/errors.ts';
import { every } from './every.ts';

export interface ScheduleOptions {
  readonly schedule: Schedule;
  /** Called after each change to a post; `isOurs` is false if another instance made it. */
  readonly published: (slug: string, isGone: boolean, isOurs: boolean) => Promise<void>;
  readonly log: Log;
  readonly now?: () => number;
  /**
   * Interval at which the clock is read while a post is scheduled, because the machine may sleep or its clock may be
   * changed.
   */
  readonly tickMs?: number;
}

export type Scheduler = ReturnType<typeof keepSchedule>;

const SECOND = 1000;
/** Interval at which scheduled times are looked up even if no write was reported. */
const LOOK_AFTER_MS = 3600 * SECOND;
/** Delay between a write and the lookup that it causes, so that several writes share one lookup. */
const PAUSE_MS = 50;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [500, 10 * SECOND];
/** Delay after which a scheduled change is logged as late. */
const LATE_MS = 5 * SECOND;
const WIDTH = 4;

const keyOf = ({ id, action }: Appointment): string => `${action} ${id}`;

/** Publishes and unpublishes posts at their scheduled times. Starts immediately, with the overdue posts. */
export function keepSchedule({ schedule, published, log, now = Date.now, tickMs = SECOND }: ScheduleOptions) {
  let next: number | undefined;
  let lookAt = 0;
  let retry = FIRST_RETRY_MS;
  // A published post is no longer in the list of scheduled posts, so its unfinished follow-up work is kept here.
  const unfinished = new Map<string, Appointment>();
  const exposed = new Set<string>();

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
          `Scheduled posts cannot be published: ${message} Give the server key the read and write scopes of documents and files.`,
        );
        next = undefined;
        return pause();
      }
      if (retry === FIRST_RETRY_MS)
        log('warn', `Scheduled posts could not be published; the server will try again. ${message}`);
      lookAt = 0;
      const wait = retry;
      retry = Math.min(retry * 2, LAST_RETRY_MS);
      return wait;
    }
  }

  /** Returns the milliseconds to wait: at most one tick if a time is scheduled, since timers stop during sleep. */
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
      for (const task of tasks) if (!job.isStopped) await task().catch((error: unknown) => faults.push(error));
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
      const what = action === 'publish' ? 'was published' : 'was unpublished';
      if (late > LATE_MS)
        log(
          'warn',
          `${id} ${what} ${Math.round(late / SECOND)} seconds late; it was scheduled for ${new Date(at).toISOString()}.`,
        );
      else log('info', `${id} ${what} on schedule.`);
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
    /** Call this after a write, which may change the next scheduled time. */
    look(): void {
      lookAt = 0;
      job.wake(PAUSE_MS);
    },
    stop: job.stop,
  };
}
