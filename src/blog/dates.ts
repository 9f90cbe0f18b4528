/** Dates in the site's language. They are in UTC, so that a stored page is the same wherever it was rendered. */

import { language } from './messages/language.ts';

const writers = new Map<string, Intl.DateTimeFormat>();

function written(date: Date, style: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language()} ${style}`;
  let writer = writers.get(key);
  if (!writer) {
    writer = new Intl.DateTimeFormat(language(), { ...options, timeZone: 'UTC' });
    writers.set(key, writer);
  }
  return writer.format(date);
}

export const dayText = (date: Date): string => written(date, 'day', { dateStyle: 'long' });
export const shortDayText = (date: Date): string => written(date, 'short day', { month: 'short', day: 'numeric' });
export const monthText = (date: Date): string => written(date, 'month', { month: 'long' });
