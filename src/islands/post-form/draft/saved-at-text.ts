import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { timeText, writerLocale } from '../format-time.ts';

/** Returns the date and time in words, such as `today at 15:04` or `on 3 November at 15:04`. */
export function savedAtText(time: number): string {
  const then = new Date(time);
  if (then.toDateString() === new Date().toDateString()) return recoveredDraftText.today({ time: timeText(time) });
  return recoveredDraftText.on({
    day: then.toLocaleDateString(writerLocale(), { day: 'numeric', month: 'long' }),
    time: timeText(time),
  });
}
