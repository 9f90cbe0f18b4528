/** The time on the writer's clock. */

import { language } from '#blog/messages.ts';

/** `15:04` */
export const clock = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toLocaleTimeString(region(), { hour: '2-digit', minute: '2-digit' });

/** The writer's own region where he speaks the site's language: 24 hours or 12 is his habit. */
export const region = () => navigator.languages.find((name) => name.split('-')[0] === language()) ?? language();
