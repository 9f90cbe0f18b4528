/**
 * Messages about drafts that are recovered from the writer's device, in every language. They are loaded lazily,
 * because most visits find none.
 */

import de from './de/recovered-drafts.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  keptOfMissing: 'Words for this post are kept on this device and were never sent. They can become a new post.',
  label: 'Unsaved words',
  today: 'today at {time}',
  on: 'on {day} at {time}',
  changes: 'Changes to this post were kept on this device {when} and never sent.',
  titled: '“{title}” was kept on this device {when} and never sent.',
  untitled: 'A post without a title was kept on this device {when} and never sent.',
  sent: '“{title}” has reached the site. The copy on this device says the same.',
  otherTab: 'This post is open in another tab, with unsaved changes kept {when}.',
  outdated: 'The post itself was changed after this copy was begun: look at both before you choose.',
  compare: 'What differs',
  copy: 'this copy',
  site: 'the version on the site',
  restore: 'Restore',
  discard: 'Discard',
  keepSite: 'Keep the site’s version',
  takeOver: 'Use them here',
  ignore: 'Not now',
  discarded: 'The copy was discarded.',
  undo: 'Undo',
  restored: 'These words are in the form now.',
} as const;

export const recoveredDraftText = textsOf(en, de);
