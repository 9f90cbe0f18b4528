/** Converts between a writer's local time and Unix time. Clock changes skip some local times and repeat others. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Moments {
  /** Unix milliseconds, earliest first: two if the clocks go back over that local time, otherwise one. */
  readonly moments: readonly number[];
  /** True if the clocks skip that local time. The moment's own local time is then later by the skipped amount. */
  readonly isSkipped: boolean;
}

/** Returns the instants of the wall-clock time `YYYY-MM-DDTHH:mm` in an IANA zone; undefined if it is invalid. */
export function momentsOf(wall: string, zone: string): Moments | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wall) || Number.isNaN(asUtc)) return undefined;
  const before = offsetAt(asUtc - DAY, zone);
  const offsets = new Set([before, offsetAt(asUtc + DAY, zone)]);
  const moments = [...offsets]
    .filter((offset) => offsetAt(asUtc - offset, zone) === offset)
    .map((offset) => asUtc - offset)
    .sort((one, other) => one - other);
  return moments.length > 0 ? { moments, isSkipped: false } : { moments: [asUtc - before], isSkipped: true };
}

/** Returns the local time of a moment as `YYYY-MM-DDTHH:mm`. */
export const wallTimeAt = (moment: number, zone: string): string =>
  new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 16);

/** Returns the zone's name at a moment, such as “Central European Summer Time (UTC+02:00)”. */
export function zoneNameAt(moment: number, zone: string, language: string): string {
  const named = (timeZoneName: 'long' | 'longOffset') =>
    new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName }).formatToParts(moment);
  const part = (parts: Intl.DateTimeFormatPart[]) => parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [name, offset] = [part(named('long')), part(named('longOffset')).replace('GMT', 'UTC')];
  return /^GMT|^UTC/.test(name) ? offset : `${name} (${offset})`;
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function offsetAt(moment: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  // Avoids `Date.UTC`, which maps years 0–99 to 1900–1999. Such years occur while the user is still typing the year.
  const day = new Date(0).setUTCFullYear(of('year'), of('month') - 1, of('day'));
  const shown = new Date(day).setUTCHours(of('hour'), of('minute'), of('second'));
  return shown - Math.floor(moment / 1000) * 1000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-u-hc-h23', { timeZone, ...numeric, second: 'numeric' });
  clocks.set(timeZone, clock);
  return clock;
}
