/** When a version was written, as the writer's own clock and language say it. */

import { language } from '#blog/messages.ts';

/** `Today at 14:03`, or `3 May 2026, 14:03`. `iso`: an ISO date. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  // English dates in the order that readers outside the United States know, too.
  const locale = language() === 'en' ? 'en-GB' : language();
  return date.toLocaleString(locale, {
    ...(today ? {} : { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(today && { second: '2-digit' }),
  });
}
