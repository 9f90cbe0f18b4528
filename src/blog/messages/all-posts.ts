/** What /all-posts says, in every language. Apart from the other catalogues, because only that page needs it. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const count = (value: number): string => value.toLocaleString('en-US');

const en = {
  count: (shown: number, total: number, isLeast: boolean) => {
    const all = isLeast ? `more than ${count(total)} posts` : total === 1 ? '1 post' : `${count(total)} posts`;
    return shown < total ? `${count(shown)} of ${all}` : all;
  },
  which: 'Which posts',
  all: 'All',
  mine: 'Mine',
  order: 'Order',
  newest: 'Newest',
  oldest: 'Oldest',
  searchLabel: 'Search titles',
  loadMore: 'Load more',
  noneActive: 'No posts yet',
  noneActiveHelp: 'The first one could be yours.',
  noneMine: 'You have no posts yet',
  noneMineHelp: 'All that you write stands here, published or not.',
  onDevice: 'Kept on this device, never sent',
  untitled: 'Without a title',
  keptNew: (when: string) => `A new post, kept ${when}`,
  keptChanges: (when: string) => `Changes to a post, kept ${when}`,
  keptOpen: 'Open in another tab',
  goOn: 'Continue writing',
  goOnWith: (title: string) => `Continue writing “${title}”`,
  nothingFound: (words: string) => `No title contains “${words}”`,
  nothingFoundHelp: 'Only titles are searched here; all words must be in one.',
  showAll: 'Show all',
  preview: 'Preview',
  activate: 'Activate',
  deactivate: 'Deactivate',
  editOf: (title: string) => `Edit “${title}”`,
  previewOf: (title: string) => `Preview “${title}”`,
  share: 'Share',
  shareOf: (title: string) => `Share “${title}”`,
  publishedAt: (time: string) => `Will be published on ${time}`,
  unpublishedAt: (time: string) => `Will be taken down on ${time}`,
  activateOf: (title: string) => `Activate “${title}”`,
  deactivateOf: (title: string) => `Deactivate “${title}”`,
  deleteOf: (title: string) => `Delete “${title}”`,
  notPublished: 'Not published',
  activated: (title: string) => `“${title}” is published.`,
  deactivated: (title: string) => `“${title}” is no longer published. Readers cannot see it.`,
  deleted: (title: string) => `“${title}” was deleted.`,
  signInAgain: 'Sign in again',
} as const;

const germanCount = (value: number): string => value.toLocaleString('de-DE');

const de: Translation<typeof en> = {
  count: (shown, total, isLeast) => {
    const all = isLeast ? `mehr als ${germanCount(total)} Beiträgen` : `${germanCount(total)} Beiträgen`;
    if (shown < total) return `${germanCount(shown)} von ${all}`;
    return total === 1 ? '1 Beitrag' : `${isLeast ? 'Mehr als ' : ''}${germanCount(total)} Beiträge`;
  },
  which: 'Welche Beiträge',
  all: 'Alle',
  mine: 'Meine',
  order: 'Reihenfolge',
  newest: 'Neueste',
  oldest: 'Älteste',
  searchLabel: 'Titel durchsuchen',
  loadMore: 'Mehr laden',
  noneActive: 'Noch keine Beiträge',
  noneActiveHelp: 'Der erste könnte von dir sein.',
  noneMine: 'Du hast noch keine Beiträge',
  noneMineHelp: 'Hier steht alles, was du schreibst, veröffentlicht oder nicht.',
  onDevice: 'Auf diesem Gerät gesichert, nie gesendet',
  untitled: 'Ohne Titel',
  keptNew: (when) => `Ein neuer Beitrag, gesichert ${when}`,
  keptChanges: (when) => `Änderungen an einem Beitrag, gesichert ${when}`,
  keptOpen: 'In einem anderen Tab offen',
  goOn: 'Weiterschreiben',
  goOnWith: (title) => `„${title}“ weiterschreiben`,
  nothingFound: (words) => `Kein Titel enthält „${words}“`,
  nothingFoundHelp: 'Hier werden nur Titel durchsucht; alle Wörter müssen in einem stehen.',
  showAll: 'Alle zeigen',
  preview: 'Vorschau',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  editOf: (title) => `Bearbeiten: „${title}“`,
  previewOf: (title) => `Vorschau: „${title}“`,
  share: 'Zeigen',
  shareOf: (title) => `„${title}“ zeigen`,
  publishedAt: (time) => `Wird am ${time} veröffentlicht`,
  unpublishedAt: (time) => `Wird am ${time} zurückgezogen`,
  activateOf: (title) => `Aktivieren: „${title}“`,
  deactivateOf: (title) => `Deaktivieren: „${title}“`,
  deleteOf: (title) => `Löschen: „${title}“`,
  notPublished: 'Nicht veröffentlicht',
  activated: (title) => `„${title}“ ist veröffentlicht.`,
  deactivated: (title) => `„${title}“ ist nicht mehr veröffentlicht. Leser sehen ihn nicht.`,
  deleted: (title) => `„${title}“ wurde gelöscht.`,
  signInAgain: 'Neu anmelden',
};

export const allPostsText = inLanguage(en, de);
