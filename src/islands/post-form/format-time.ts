import { language } from '#blog/messages/language.ts';

export const timeText = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toLocaleTimeString(writerLocale(), { hour: '2-digit', minute: '2-digit' });

/** Returns the browser's regional variant of the site's language, such as `en-GB`, for formatting dates and times. */
export const writerLocale = () => navigator.languages.find((name) => name.split('-')[0] === language()) ?? language();

/**
 * Formats an ISO date as a time with seconds (`14:03:07`) if it is today, otherwise as date and time (`3 May 2026 at
 * 14:03`).
 */
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
