/** Formats times in the writer's own region and time zone. */

import { language } from '#blog/messages/language.ts';

export const timeText = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toLocaleTimeString(writerLocale(), { hour: '2-digit', minute: '2-digit' });

/** The writer's own region of the site's language, because 12 or 24 hours depend on it. */
export const writerLocale = () => navigator.languages.find((name) => name.split('-')[0] === language()) ?? language();

/** Today's time to the second (`14:03:07`), or date and time (`3 May 2026 at 14:03`), of an ISO date. */
export function dateTimeText(iso: string): string {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(writerLocale(), {
    ...(today ? {} : { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(today && { second: '2-digit' }),
  });
}
