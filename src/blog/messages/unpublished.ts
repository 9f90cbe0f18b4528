/** What the page of a post says to whoever wrote it, while it is not published. Apart from the other catalogues, because it is loaded only then. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  notPublished: 'Not published',
  notPublishedHelp: 'Readers cannot see this post. To publish it, edit it and set it to active.',
};

const de: Translation<typeof en> = {
  notPublished: 'Nicht veröffentlicht',
  notPublishedHelp: 'Leser sehen diesen Beitrag nicht. Zum Veröffentlichen bearbeiten und auf aktiv setzen.',
};

export const unpublishedText = inLanguage(en, de);
