/** What the form says of a post's tags, excerpt, language and alternative text; loaded when they are opened. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  tags: 'Tags',
  tagsHelp: 'Type a name and press Enter or a comma.',
  tagsFull: (most: number) => `A post has at most ${most} tags. Remove one to add another.`,
  chosen: 'Chosen tags',
  suggestions: 'Tags in use',
  add: 'Add tag',
  remove: (name: string) => `Remove tag ${name}`,
  added: (name: string) => `Tag ${name} added`,
  removed: (name: string) => `Tag ${name} removed`,
  isThere: (name: string) => `The post has the tag ${name} already.`,
  count: (tags: number) => (tags === 1 ? 'One suggestion' : `${tags} suggestions`),
  tagOfMarks: 'A tag needs a letter or a digit.',
  tagTooLong: (most: number) => `A tag has at most ${most} characters.`,
  excerpt: 'Excerpt',
  excerptHelp: (length: number, most: number) =>
    `Shown below the newest post’s title, in feeds, and where the post is shared or found; empty: the beginning of the text. ${length} of ${most} characters.`,
  language: 'Language',
  automatic: (name: string) => `Automatic: ${name}`,
  languageHelp: 'For browsers, which hyphenate, quote and read aloud by it.',
  typography: 'Typographic quotes and dashes',
  typographyHelp:
    'Quotes, --, --- and ... become “ ”, –, — and … as you type, the way the post’s language writes them. Undo brings back what you typed. This device remembers the choice.',
  alternative: 'Alternative text',
  alternativeHelp: 'What the featured image shows, for those who do not see it.',
};

const de: Translation<typeof en> = {
  tags: 'Schlagwörter',
  tagsHelp: 'Einen Namen tippen, dann Eingabetaste oder Komma.',
  tagsFull: (most) => `Ein Beitrag hat höchstens ${most} Schlagwörter. Für ein neues bitte eines entfernen.`,
  chosen: 'Gewählte Schlagwörter',
  suggestions: 'Schlagwörter, die es schon gibt',
  add: 'Schlagwort hinzufügen',
  remove: (name) => `Schlagwort ${name} entfernen`,
  added: (name) => `Schlagwort ${name} hinzugefügt`,
  removed: (name) => `Schlagwort ${name} entfernt`,
  isThere: (name) => `Der Beitrag hat das Schlagwort ${name} schon.`,
  count: (tags) => (tags === 1 ? 'Ein Vorschlag' : `${tags} Vorschläge`),
  tagOfMarks: 'Ein Schlagwort braucht einen Buchstaben oder eine Ziffer.',
  tagTooLong: (most) => `Ein Schlagwort hat höchstens ${most} Zeichen.`,
  excerpt: 'Auszug',
  excerptHelp: (length, most) =>
    `Steht unter dem Titel des neuesten Beitrags, in Feeds und wo der Beitrag geteilt oder gefunden wird; leer: der Anfang des Textes. ${length} von ${most} Zeichen.`,
  language: 'Sprache',
  automatic: (name) => `Automatisch: ${name}`,
  languageHelp: 'Nach ihr trennen Browser Silben, setzen Anführungszeichen und lesen vor.',
  typography: 'Typografische Zeichen',
  typographyHelp:
    'Aus Anführungszeichen, --, --- und ... werden beim Tippen „ “, –, — und …, so wie sie in der Sprache des Beitrags aussehen. Rückgängig stellt das Getippte wieder her. Dieses Gerät merkt sich die Wahl.',
  alternative: 'Alternativtext',
  alternativeHelp: 'Was das Titelbild zeigt, für alle, die es nicht sehen.',
};

export const detailText = inLanguage(en, de);
