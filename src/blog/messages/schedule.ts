/** Messages of the hours of a post, in every language. They are loaded lazily, with the fields. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  publishAt: 'Publish at',
  unpublishAt: 'Take down at',
  zone: (name: string) => `In your time zone: ${name}.`,
  publishHelp: 'Nobody else sees the post before. Clear it to cancel.',
  onlyInactive: 'Set the status to Inactive to have the post published later.',
  skipped: (asked: string, taken: string) =>
    `There is no ${asked} on that day: clocks are put forward. ${taken} is taken instead.`,
  twice: 'That hour comes twice, because clocks are put back. Which one?',
  half: 'Type the whole date and time, or clear it.',
} as const;

const de: Translation<typeof en> = {
  publishAt: 'Veröffentlichen am',
  unpublishAt: 'Zurückziehen am',
  zone: (name: string) => `In deiner Zeitzone: ${name}.`,
  publishHelp: 'Vorher sieht niemand sonst den Beitrag. Leeren, um es abzusagen.',
  onlyInactive: 'Mit dem Status „Inaktiv“ kann der Beitrag später veröffentlicht werden.',
  skipped: (asked: string, taken: string) =>
    `${asked} Uhr gibt es an diesem Tag nicht: die Uhren werden vorgestellt. Stattdessen gilt ${taken} Uhr.`,
  twice: 'Diese Stunde kommt zweimal, weil die Uhren zurückgestellt werden. Welche?',
  half: 'Bitte Datum und Uhrzeit ganz eingeben oder das Feld leeren.',
};

export const scheduleText = inLanguage(en, de);
