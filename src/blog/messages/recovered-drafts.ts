/**
 * Messages about drafts that are recovered from the writer's device, in every language. They are loaded lazily,
 * because most visits find none.
 */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  keptOfMissing: 'Words for this post are kept on this device and were never sent. They can become a new post.',
  label: 'Unsaved words',
  today: (time: string) => `today at ${time}`,
  on: (day: string, time: string) => `on ${day} at ${time}`,
  changes: (when: string) => `Changes to this post were kept on this device ${when} and never sent.`,
  titled: (title: string, when: string) => `“${title}” was kept on this device ${when} and never sent.`,
  untitled: (when: string) => `A post without a title was kept on this device ${when} and never sent.`,
  sent: (title: string) => `“${title}” has reached the site. The copy on this device says the same.`,
  otherTab: (when: string) => `This post is open in another tab, with unsaved changes kept ${when}.`,
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

const de: Translation<typeof en> = {
  keptOfMissing:
    'Text für diesen Beitrag ist auf diesem Gerät gesichert und wurde nie gesendet. Daraus kann ein neuer Beitrag werden.',
  label: 'Ungesicherter Text',
  today: (time: string) => `heute um ${time}`,
  on: (day: string, time: string) => `am ${day} um ${time}`,
  changes: (when: string) => `Änderungen an diesem Beitrag wurden ${when} auf diesem Gerät gesichert und nie gesendet.`,
  titled: (title: string, when: string) => `„${title}“ wurde ${when} auf diesem Gerät gesichert und nie gesendet.`,
  untitled: (when: string) => `Ein Beitrag ohne Titel wurde ${when} auf diesem Gerät gesichert und nie gesendet.`,
  sent: (title: string) => `„${title}“ ist auf der Website angekommen. Die Kopie auf diesem Gerät sagt dasselbe.`,
  otherTab: (when: string) =>
    `Dieser Beitrag ist in einem anderen Tab offen, mit ungesendeten Änderungen, gesichert ${when}.`,
  outdated: 'Der Beitrag selbst wurde geändert, nachdem diese Kopie begonnen war: bitte erst beide ansehen.',
  compare: 'Was sich unterscheidet',
  copy: 'dieser Kopie',
  site: 'der Fassung auf der Website',
  restore: 'Wiederherstellen',
  discard: 'Verwerfen',
  keepSite: 'Fassung der Website behalten',
  takeOver: 'Hier verwenden',
  ignore: 'Jetzt nicht',
  discarded: 'Die Kopie wurde verworfen.',
  undo: 'Rückgängig',
  restored: 'Dieser Text steht jetzt im Formular.',
};

export const recoveredDraftText = inLanguage(en, de);
