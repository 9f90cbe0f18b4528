import { language } from '#blog/messages/language.ts';

export const timeText = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toLocaleTimeString(writerLocale(), { hour: '2-digit', minute: '2-digit' });

/** Returns the writer's regional variant of the site's language, which decides between 12 and 24 hours. */
export const writerLocale = () => navigator.languages.find((name) => name.split('-')[0] === language()) ?? language();

/** Formats an ISO date: today's as time to the second (`14:03:07`), others as date and time (`3 May 2026 at 14:03`). */
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
