/** Times of this device, as the writer would say them. */

import { draftText, language } from '#blog/messages.ts';

/** `15:04` */
export const clock = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toLocaleTimeString(region(), { hour: '2-digit', minute: '2-digit' });

/** `today at 15:04`, `on 3 November at 15:04` */
export function moment(time: number): string {
  const then = new Date(time);
  if (then.toDateString() === new Date().toDateString()) return draftText.today(clock(time));
  return draftText.on(then.toLocaleDateString(region(), { day: 'numeric', month: 'long' }), clock(time));
}

/** The writer's own region where he speaks the site's language: 24 hours or 12 is his habit. */
const region = () => navigator.languages.find((name) => name.split('-')[0] === language()) ?? language();
