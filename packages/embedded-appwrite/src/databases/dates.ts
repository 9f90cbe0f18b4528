import { dateText } from '../identifiers.ts';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?$/i;
const FOUR_DIGIT_YEAR = /(?<!\d)\d{4}(?!\d)/;
const NAMED_ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i;
const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function isoMilliseconds(match: RegExpExecArray): number {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN;
  const zone = match[9] ? (Number(match[10]) * 60 + Number(match[11] ?? 0)) * (match[9] === '-' ? -1 : 1) : 0;
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  return Date.UTC(year, month - 1, day, hour, minute - zone, second, fraction);
}

/** Converts a date to the contract's form; undefined if invalid or not in years 1000–9999. A missing zone means UTC. */
export function normaliseDate(text: string): string | undefined {
  const iso = ISO.exec(text.trim());
  let milliseconds: number;
  if (iso) milliseconds = isoMilliseconds(iso);
  else if (FOUR_DIGIT_YEAR.test(text)) milliseconds = Date.parse(NAMED_ZONE.test(text) ? text : `${text} UTC`);
  else return undefined;
  return milliseconds >= EARLIEST && milliseconds <= LATEST ? dateText(milliseconds) : undefined;
}
