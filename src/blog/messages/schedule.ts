import de from './de/schedule.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  publishAt: 'Publish at',
  unpublishAt: 'Take down at',
  zone: 'In your time zone: {name}.',
  publishHelp: 'No one else sees the post until then. Clear it to cancel.',
  onlyInactive: 'To publish the post later, set its status to Inactive.',
  skipped: '{asked} doesn’t exist on that day because the clocks go forward. {taken} is used instead.',
  twice: 'That hour occurs twice because the clocks go back. Which one?',
  half: 'Type the whole date and time, or clear it.',
} as const;

export const scheduleText = textsOf(en, de);
