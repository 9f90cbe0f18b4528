/** When a draft was kept, in words. */

import { recoveredDraftText } from '#blog/messages/recovered-drafts.ts';
import { timeText, writerLocale } from '../format-time.ts';

/** The date and time in words: `today at 15:04`, `on 3 November at 15:04`. */
export function savedAtText(time: number): string {
  const then = new Date(time);
  if (then.toDateString() === new Date().toDateString()) return recoveredDraftText.today(timeText(time));
  return recoveredDraftText.on(
    then.toLocaleDateString(writerLocale(), { day: 'numeric', month: 'long' }),
    timeText(time),
  );
}
