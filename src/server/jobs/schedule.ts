/** Keeps posts' hours (docs/decisions/024-scheduled-posts.md): one list of the nearest, one timer, renewed when something is written. */

import type { Log } from '@common-ink/http/log.ts';
import type { Appointment, Outcome, Schedule } from '#backend/schedule/schedule.ts';
import { faultOf } from '#blog/errors.ts';

export interface ScheduleOptions {
  readonly schedule: Schedule;
  /** Called after each change of a post; `isOurs` is false when another instance has made it. */
  readonly published: (slug: string, isGone: boolean, isOurs: boolean) => Promise<void>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds between two looks at the clock while an hour is awaited: it may have been stopped, or set. */
  readonly tick?: number;
}

export interface Scheduler {
  /** Something was written: the nearest hour may be another. */
  look(): void;
  /** Ends when nothing is under way. */
  stop(): Promise<void>;
}

const SECOND = 1000;
/** What was never told is found by then. */
const LOOK_AFTER = 3600 * SECOND;
/** Several writes are one reason to look. */
const PAUSE = 50;
/** Between attempts while the backend does not answer, from and to. */
const RETRY = [500, 10 * SECOND] as const;
/** A post that is later than this is reported. */
const LATE = 5 * SECOND;
/** Posts that are published at the same time. */
const WIDTH = 4;

const keyOf = ({ id, action }: Appointment): string => `${action} ${id}`;

/** Begins at once, with what has become due meanwhile. */
export function keepSchedule({ schedule, published, log, now = Date.now, tick = SECOND }: ScheduleOptions): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let next: number | undefined;
  let lookAt = 0;
  let retry: number = RETRY[0];
  // What failed is tried again from here: a post whose change is stored is in no list of hours any more.
  const unfinished = new Map<string, Appointment>();
  const exposed = new Set<string>();

  const wake = (milliseconds: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(onTimer, milliseconds).unref();
  };

  function onTimer(): void {
    if (now() >= lookAt || (next !== undefined && now() >= next)) run();
    else rest();
  }

  /** Timers stand still while the machine sleeps: the clock is looked at, which costs the backend nothing. */
  function rest(): void {
    if (next === undefined) wake(Math.max(0, Math.min(lookAt - now(), LOOK_AFTER)));
    else wake(Math.max(0, Math.min(next - now(), tick)));
  }

  function run(): void {
    isWanted = true;
    running ??= work().finally(() => {
      running = undefined;
      if (isWanted && !isStopped) run();
    });
  }

  async function work(): Promise<void> {
    isWanted = false;
    try {
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
      lookAt = now() + LOOK_AFTER;
      retry = RETRY[0];
      rest();
    } catch (error) {
      const { code, message } = faultOf(error);
      if (code === 401 || code === 403) {
        log(
          'warn',
          `Posts are not published at their hours: ${message} Give the key documents and files, each read and write.`,
        );
        lookAt = now() + LOOK_AFTER;
        next = undefined;
        rest();
        return;
      }
      // The first failure is said, not each.
      if (retry === RETRY[0]) log('warn', `Posts could not be published at their hours; it is tried again. ${message}`);
      lookAt = 0;
      wake(retry);
      retry = Math.min(retry * 2, RETRY[1]);
    }
  }

  async function keep(appointment: Appointment): Promise<void> {
    const { id, action, at } = appointment;
    const outcome: Outcome = await schedule.keep(appointment);
    const late = now() - at;
    if (outcome === 'done') {
      const what = action === 'publish' ? 'was published' : 'was taken down';
      if (late > LATE)
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

  run();
  return {
    look() {
      if (isStopped) return;
      lookAt = 0;
      // A list that is under way may not show it.
      isWanted ||= running !== undefined;
      if (!running) wake(PAUSE);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
