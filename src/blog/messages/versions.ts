/**
 * What the writer's screen says of versions, conflicts, the preview and the HTML source, in every language. Apart from
 * the other catalogues, because it is loaded only when one of these is opened.
 */

import { language } from '../messages.ts';
import { inLanguage, type Translation } from './lazy-messages.ts';

const count = (value: number): string => value.toLocaleString(language() === 'de' ? 'de-DE' : 'en-US');
const timesText = (times: number): string => (times === 1 ? '' : ` (${count(times)}×)`);
const kilobytes = (bytes: number): string =>
  Math.max(0.1, bytes / 1000).toLocaleString(language() === 'de' ? 'de-DE' : 'en-US', {
    maximumFractionDigits: bytes < 10_000 ? 1 : 0,
  });

const en = {
  // Differences
  title: 'Title',
  status: 'Status',
  picture: 'Featured Image',
  tags: 'Tags',
  publishAt: 'Publish at',
  unpublishAt: 'Take back at',
  excerpt: 'Excerpt',
  language: 'Language',
  featuredImageAlt: 'Alternative text',
  active: 'Active',
  inactive: 'Inactive',
  noPicture: 'No picture',
  pictureGone: 'The picture is no longer stored',
  removed: 'removed:',
  added: 'added:',
  legend: (before: string, after: string) => [`Struck out: only in ${before}`, `Underlined: only in ${after}`] as const,
  changed: 'Changed',
  onlyIn: (version: string) => `Only in ${version}`,
  unchanged: (blocks: number) => (blocks === 1 ? 'One block is the same' : `${count(blocks)} blocks are the same`),
  nothing: 'The two versions are the same.',
  sameWords: 'The words are the same; the HTML differs:',
  pictureNamed: (description: string) => (description ? `Picture: ${description}` : 'Picture without a description'),
  serverVersion: 'the version on the server',
  yourVersion: 'your version',

  // A conflict
  conflictTitle: 'Two versions of this post',
  conflict: (moment: string) =>
    `This post was saved elsewhere (${moment}) after you opened it. Keep one of the two versions, or choose part by part. Nothing is published until you press Update.`,
  choose: 'Use',
  theirs: 'the server’s',
  mine: 'mine',
  both: 'both',
  take: 'this part',
  leaveOut: 'leave it out',
  keepTheirs: 'Keep the server’s',
  keepMine: 'Keep mine',
  useMerged: 'Use the choice',
  undecided: (differences: number) =>
    differences === 1
      ? 'One part was changed on both sides: choose.'
      : `${count(differences)} parts were changed on both sides: choose.`,
  inForm: {
    mine: 'Your version stays in the form. Press Update to publish it in place of the one on the server.',
    theirs: 'The server’s version is in the form.',
    merged: 'What you chose is in the form. Press Update to publish it.',
  },
  putBack: 'Put back what was there',

  // Former versions
  versionsTitle: 'Former versions',
  versionsHelp:
    'The last 50 are kept, for your eyes only. Restoring one puts its title, text and picture into the form; it is published when you press Update.',
  versionsNone: 'There are none yet: a version is kept when another takes its place.',
  versionsUnavailable:
    'This site’s backend keeps no former versions. Its operator can add the collection with npm run provision.',
  versionOf: (moment: string) => `the version of ${moment}`,
  versionWords: (words: number, bytes: number) =>
    `${words === 1 ? '1 word' : `${count(words)} words`}, ${kilobytes(bytes)} kB of HTML`,
  size: (bytes: number) => `${kilobytes(bytes)} kB`,
  restore: 'Restore this version',
  restored: (moment: string) => `The version of ${moment} is in the form. Press Update to publish it.`,

  // The HTML source
  source: 'HTML source',
  sourceHelp: 'The HTML that is stored. Unchanged, it stays as it is, to the letter.',
  sourceKept: 'All of it can be stored.',
  sourceLost: 'Will be taken away:',
  loss: {
    whole: (name: string, times: number) => `${name}${timesText(times)} with all that is in it`,
    tag: (name: string, times: number) => `${name}${timesText(times)}, but not what is in it`,
    attribute: (name: string, times: number) => `${name.replace(' ', ' on ')}${timesText(times)}`,
    comment: (name: string, times: number) => `${name}${timesText(times)}`,
  },

  // The preview
  previewTitle: 'Preview',
  previewWidth: 'Width of the preview',
  phone: 'Phone',
  desktop: 'Desktop',

  close: 'Close',
  loading: 'Loading...',
} as const;

const de: Translation<typeof en> = {
  title: 'Titel',
  status: 'Status',
  picture: 'Titelbild',
  tags: 'Schlagwörter',
  publishAt: 'Veröffentlichen am',
  unpublishAt: 'Zurückziehen am',
  excerpt: 'Auszug',
  language: 'Sprache',
  featuredImageAlt: 'Alternativtext',
  active: 'Aktiv',
  inactive: 'Inaktiv',
  noPicture: 'Kein Bild',
  pictureGone: 'Das Bild ist nicht mehr gespeichert',
  removed: 'entfernt:',
  added: 'hinzugefügt:',
  legend: (before: string, after: string) => [`Durchgestrichen: nur in ${before}`, `Unterstrichen: nur in ${after}`],
  changed: 'Geändert',
  onlyIn: (version: string) => `Nur in ${version}`,
  unchanged: (blocks: number) => (blocks === 1 ? 'Ein Block ist gleich' : `${count(blocks)} Blöcke sind gleich`),
  nothing: 'Die beiden Fassungen sind gleich.',
  sameWords: 'Die Wörter sind gleich, das HTML ist verschieden:',
  pictureNamed: (description: string) => (description ? `Bild: ${description}` : 'Bild ohne Beschreibung'),
  serverVersion: 'der Fassung auf dem Server',
  yourVersion: 'deiner Fassung',

  conflictTitle: 'Zwei Fassungen dieses Beitrags',
  conflict: (moment: string) =>
    `Dieser Beitrag wurde anderswo gespeichert (${moment}), nachdem er hier geöffnet wurde. Eine der beiden Fassungen behalten, oder Teil für Teil wählen. Veröffentlicht wird erst mit „Aktualisieren“.`,
  choose: 'Nehmen:',
  theirs: 'die vom Server',
  mine: 'meine',
  both: 'beide',
  take: 'diesen Teil',
  leaveOut: 'weglassen',
  keepTheirs: 'Vom Server behalten',
  keepMine: 'Meine behalten',
  useMerged: 'Auswahl nehmen',
  undecided: (differences: number) =>
    differences === 1
      ? 'Ein Teil wurde auf beiden Seiten geändert: bitte wählen.'
      : `${count(differences)} Teile wurden auf beiden Seiten geändert: bitte wählen.`,
  inForm: {
    mine: 'Deine Fassung bleibt im Formular. „Aktualisieren“ veröffentlicht sie an der Stelle der Fassung auf dem Server.',
    theirs: 'Die Fassung vom Server ist im Formular.',
    merged: 'Das Gewählte ist im Formular. „Aktualisieren“ veröffentlicht es.',
  },
  putBack: 'Zurückholen, was da war',

  versionsTitle: 'Frühere Fassungen',
  versionsHelp:
    'Die letzten 50 werden aufgehoben, nur für ihren Autor. Wiederherstellen legt Titel, Text und Bild in das Formular; veröffentlicht wird mit „Aktualisieren“.',
  versionsNone: 'Noch keine: Eine Fassung wird aufgehoben, wenn eine andere an ihre Stelle tritt.',
  versionsUnavailable:
    'Das Backend dieser Website hebt keine früheren Fassungen auf. Ihr Betreiber kann die Sammlung mit npm run provision anlegen.',
  versionOf: (moment: string) => `der Fassung vom ${moment}`,
  versionWords: (words: number, bytes: number) =>
    `${words === 1 ? '1 Wort' : `${count(words)} Wörter`}, ${kilobytes(bytes)} kB HTML`,
  size: (bytes: number) => `${kilobytes(bytes)} kB`,
  restore: 'Diese Fassung wiederherstellen',
  restored: (moment: string) => `Die Fassung vom ${moment} ist im Formular. „Aktualisieren“ veröffentlicht sie.`,

  source: 'HTML-Quelltext',
  sourceHelp: 'Das HTML, wie es gespeichert ist. Unverändert bleibt es, wie es ist, auf das Zeichen genau.',
  sourceKept: 'Alles davon kann gespeichert werden.',
  sourceLost: 'Wird weggenommen:',
  loss: {
    whole: (name: string, times: number) => `${name}${timesText(times)} mit allem, was darin steht`,
    tag: (name: string, times: number) => `${name}${timesText(times)}, der Inhalt bleibt`,
    attribute: (name: string, times: number) => `${name.replace(' ', ' an ')}${timesText(times)}`,
    comment: (name: string, times: number) => `${name}${timesText(times)}`,
  },

  previewTitle: 'Vorschau',
  previewWidth: 'Breite der Vorschau',
  phone: 'Telefon',
  desktop: 'Bildschirm',

  close: 'Schließen',
  loading: 'Wird geladen …',
};

export const versionText = inLanguage(en, de);
