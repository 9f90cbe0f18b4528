/** Messages of the dialog that shares a draft, in every language. They are loaded lazily, with it. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  title: 'Share this draft',
  help: 'Whoever has the link sees the post as it is saved, without an account.',
  holds: 'The link holds for',
  times: { day: 'A day', week: 'A week', month: 'A month' },
  make: 'Make a link',
  makeAnother: 'Make another link',
  replaces: 'Another link takes the place of this one.',
  link: 'Link',
  until: (time: string) => `It holds until ${time}.`,
  copy: 'Copy',
  copied: 'Copied.',
  takeBack: 'Take back',
  takenBack: 'The link was taken back: it shows nothing any more.',
  close: 'Close',
  unavailable: 'This site cannot make links to drafts: ask its operator.',
} as const;

const de: Translation<typeof en> = {
  title: 'Diesen Entwurf zeigen',
  help: 'Wer den Link hat, sieht den Beitrag, wie er gespeichert ist, auch ohne Konto.',
  holds: 'Der Link gilt',
  times: { day: 'Einen Tag', week: 'Eine Woche', month: 'Einen Monat' },
  make: 'Link erstellen',
  makeAnother: 'Neuen Link erstellen',
  replaces: 'Ein neuer Link tritt an die Stelle von diesem.',
  link: 'Link',
  until: (time: string) => `Er gilt bis ${time}.`,
  copy: 'Kopieren',
  copied: 'Kopiert.',
  takeBack: 'Zurücknehmen',
  takenBack: 'Der Link wurde zurückgenommen: er zeigt nichts mehr.',
  close: 'Schließen',
  unavailable: 'Diese Website kann keine Links zu Entwürfen erstellen: bitte die Betreiber fragen.',
};

export const draftLinkText = inLanguage(en, de);
