/** Formats dates in the site's language and time zone (default: UTC), not those of the machine that renders them. */

import { language } from './messages/language.ts';
import { wallTimeAt } from './schedule/zoned-time.ts';

const UTC = 'UTC';
const writers = new Map<string, Intl.DateTimeFormat>();

function written(date: Date, style: string, options: Intl.DateTimeFormatOptions, timeZone = UTC): string {
  const key = `${language()} ${timeZone} ${style}`;
  let writer = writers.get(key);
  if (!writer) {
    writer = new Intl.DateTimeFormat(language(), { ...options, timeZone });
    writers.set(key, writer);
  }
  return writer.format(date);
}

export const dayText = (date: Date, zone?: string): string => written(date, 'day', { dateStyle: 'long' }, zone);
export const shortDayText = (date: Date, zone?: string): string =>
  written(date, 'short day', { month: 'short', day: 'numeric' }, zone);
export const monthText = (date: Date): string => written(date, 'month', { month: 'long' });

export const isoDay = (date: Date, zone = UTC): string =>
  (zone === UTC ? date.toISOString() : wallTimeAt(date.getTime(), zone)).slice(0, 10);

const DAY = 24 * 3600 * 1000;

export function yearOf(iso: string, zone?: string): number {
  const moment = Date.parse(iso);
  const year = new Date(moment).getUTCFullYear();
  // Converts to the time zone only near New Year, because converting is slow and cannot change the year otherwise.
  const isNearTurn = [-DAY, DAY].some((more) => new Date(moment + more).getUTCFullYear() !== year);
  return zone && isNearTurn ? Number(wallTimeAt(moment, zone).slice(0, 4)) : year;
}
