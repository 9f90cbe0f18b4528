/** What the form says while and before a post is sent: of pictures without a description, and of the featured picture. Apart from the other catalogues, because its parts are loaded when they are needed. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  undescribedTitle: 'Publish without descriptions?',
  undescribed: (pictures: number) =>
    pictures === 1
      ? 'One picture has no description. Readers who cannot see it will not know what it shows.'
      : `${pictures} pictures have no description. Readers who cannot see them will not know what they show.`,
  describe: (pictures: number) => (pictures === 1 ? 'Describe it' : 'Describe them'),
  publishAnyway: 'Publish anyway',
  featuredUpload: 'Upload of the featured image',
  featuredLost: 'The featured image could not be uploaded. Your text is still here.',
};

const de: Translation<typeof en> = {
  undescribedTitle: 'Ohne Beschreibungen veröffentlichen?',
  undescribed: (pictures) =>
    pictures === 1
      ? 'Ein Bild hat keine Beschreibung. Wer es nicht sehen kann, erfährt nicht, was es zeigt.'
      : `${pictures} Bilder haben keine Beschreibung. Wer sie nicht sehen kann, erfährt nicht, was sie zeigen.`,
  describe: () => 'Beschreiben',
  publishAnyway: 'Trotzdem veröffentlichen',
  featuredUpload: 'Hochladen des Titelbilds',
  featuredLost: 'Das Titelbild konnte nicht hochgeladen werden. Der Text ist noch da.',
};

export const sendingText = inLanguage(en, de);
