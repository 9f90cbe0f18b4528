/** Messages of the hours of a post, in every language. They are loaded lazily, with the fields. */

import de from './de/schedule.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  publishAt: 'Publish at',
  unpublishAt: 'Take down at',
  zone: 'In your time zone: {name}.',
  publishHelp: 'Nobody else sees the post before. Clear it to cancel.',
  onlyInactive: 'Set the status to Inactive to have the post published later.',
  skipped: 'There is no {asked} on that day: clocks are put forward. {taken} is taken instead.',
  twice: 'That hour comes twice, because clocks are put back. Which one?',
  half: 'Type the whole date and time, or clear it.',
} as const;

export const scheduleText = textsOf(en, de);
