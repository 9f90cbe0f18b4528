/**
 * What the writer's screen says of versions, conflicts, the preview and the HTML source, in every language. Apart from
 * the other catalogues, because it is loaded only when one of these is opened.
 */

import { type Language, language } from '../messages.ts';

const count = (value: number): string => value.toLocaleString(language() === 'de' ? 'de-DE' : 'en-US');

const en = {
  // Differences
  title: 'Title',
  slug: 'Slug',
  status: 'Status',
  picture: 'Featured Image',
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
} as const;

type Texts = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends (...values: infer Values) => infer Words
    ? (...values: Values) => Words extends readonly [string, string] ? readonly [string, string] : string
    : string;
};

const de: Texts = {
  title: 'Titel',
  slug: 'Kürzel',
  status: 'Status',
  picture: 'Titelbild',
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
};

const CATALOGUES: Record<Language, Texts> = { en, de };

/** In the language of the page; read in the browser alone, where a page speaks one. */
export const versionText: Texts = CATALOGUES[language()];
