/** When a version was written, as the writer's own clock and language say it. */

import { region } from '../moment.ts';

/** Today's time, to the second (`14:03:07`), or day and time (`3 May 2026 at 14:03`). `iso`: an ISO date. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(region(), {
    ...(today ? {} : { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(today && { second: '2-digit' }),
  });
}
