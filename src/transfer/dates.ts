/** Converts a date to ISO 8601 in UTC; undefined if invalid. A missing time means midnight, a missing zone UTC. */
export function isoDate(value: unknown): string | undefined {
  if (value instanceof Date) return isoDate(value.toISOString());
  const found =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?/i.exec(
      String(value ?? '').trim(),
    );
  if (!found) return namedDate(String(value ?? ''));
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '', zone = 'Z'] = found;
  const two = (text: string) => text.padStart(2, '0');
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2') : 'Z';
  const date = new Date(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${fraction}${offset}`);
  const real =
    !Number.isNaN(date.getTime()) &&
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return real ? date.toISOString() : undefined;
}

const DAY = /^(?:[a-z]{3,9}\.? \d{1,2},?|\d{1,2} [a-z]{3,9}\.?,?) \d{4}$/i;
const TIME = /^(?:[a-z]{3,9},? )?(?:\d{1,2} [a-z]{3,9}|[a-z]{3} \d{1,2}),? \d{4} \d{1,2}:\d{2}/i;

/** Parses dates like `Jul 08 2022` and `8 July 2022` (Astro's templates), and the formats of feeds and JavaScript. */
function namedDate(text: string): string | undefined {
  const plain = text.trim().replace(/\s*\([^)]*\)$/, '');
  if (!DAY.test(plain) && !TIME.test(plain)) return undefined;
  const hasZone = TIME.test(plain) && /(?:[A-Z]|[+-]\d{2}:?\d{2})$/.test(plain);
  const date = new Date(hasZone ? plain : `${plain} UTC`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
