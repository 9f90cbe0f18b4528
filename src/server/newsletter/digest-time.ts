import type { Rhythm } from '#blog/newsletter/newsletter.ts';
import { momentsOf, wallTimeAt } from '#blog/schedule/zoned-time.ts';

const DAY_MS = 86_400_000;
const MONDAY = 1;
/** Time of day, in the site's time zone, at which a digest is sent. */
const HOUR = '08:00';

/** Returns the Unix time in ms of the next digest after `now`: each day, each Monday, or on the first of each month. */
export function nextDigest(rhythm: Exclude<Rhythm, 'each'>, now: number, timeZone: string): number {
  for (let ahead = now; ; ahead += DAY_MS) {
    const day = wallTimeAt(ahead, timeZone).slice(0, 10);
    const date = new Date(day);
    if (rhythm === 'weekly' && date.getUTCDay() !== MONDAY) continue;
    if (rhythm === 'monthly' && date.getUTCDate() !== 1) continue;
    const [at = 0] = momentsOf(`${day}T${HOUR}`, timeZone)?.moments ?? [];
    if (at > now) return at;
  }
}
