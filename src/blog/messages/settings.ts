import de from './de/settings.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  empty: 'Enter something, or leave the default.',
  tooLong: 'Use at most {most} characters.',
  oneLine: 'Write it on one line.',
  notAnAddress: 'Start with / for a page of this site, with https:// or with mailto:.',
  notAColour: 'Write the colour as #rrggbb.',
  unsafePicture: 'This picture can’t be used: it must be a PNG or an SVG without scripts and links to other files.',
  navigationFull: 'The navigation has room for {most} entries.',
  perPage: 'Choose a number from {least} to {most}.',
  notATimeZone: 'Choose a time zone from the list.',
  savedElsewhere: 'Another owner saved the settings after you opened them. Nothing of yours was saved.',
  tooLarge: 'The settings are too large to be stored. Use smaller pictures or less CSS.',
} as const;

export const settingsText = textsOf(en, de);
