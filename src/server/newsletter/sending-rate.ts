/** Spaces emails evenly, with longer pauses at first, and keeps to a mail provider's hourly and daily limits. */

export interface RateBounds {
  readonly perMinute: number;
  readonly perHour?: number | undefined;
  readonly perDay?: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Minimum pause between the first ten emails after the start. It halves after every ten. */
const FIRST_PAUSE_MS = 500;
const STEP = 10;

export type SendingRate = ReturnType<typeof sendingRate>;

/** @param sent Unix times in ms of earlier emails, such as those sent before a restart */
export function sendingRate(now: () => number, sent: number[] = []) {
  let ofRun = 0;

  /** Returns the earliest Unix time in ms for another email without exceeding `most` emails per `ms`. */
  const freeAt = (ms: number, most = Number.POSITIVE_INFINITY): number => (sent.at(-most) ?? 0) + ms;

  return {
    /** Returns the milliseconds until the next email may be sent. */
    wait({ perMinute, perHour, perDay }: RateBounds): number {
      // Skips times in the future, because the clock may have been set back.
      const last = sent.findLast((at) => at <= now()) ?? 0;
      const pause = Math.max(MINUTE_MS / perMinute, FIRST_PAUSE_MS / 2 ** Math.floor(ofRun / STEP));
      const next = last + (ofRun === 0 ? MINUTE_MS / perMinute : pause);
      return Math.max(0, Math.max(next, freeAt(HOUR_MS, perHour), freeAt(DAY_MS, perDay)) - now());
    },
    note(): void {
      ofRun++;
      sent.push(now());
      const old = sent.findIndex((at) => at > now() - DAY_MS);
      if (old > 0) sent.splice(0, old);
    },
  };
}
