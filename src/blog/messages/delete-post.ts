/** The question before a post is deleted. Apart from the other catalogues, because its dialog is loaded where posts can be deleted. */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  deleteTitle: 'Confirm deletion',
  deleteQuestion: 'This action cannot be undone. The post and its media will be permanently removed.',
  deleteCancel: 'Cancel',
  deleteConfirm: 'Delete post',
};

const de: Translation<typeof en> = {
  deleteTitle: 'Löschen bestätigen',
  deleteQuestion: 'Das lässt sich nicht rückgängig machen. Der Beitrag und seine Bilder werden endgültig gelöscht.',
  deleteCancel: 'Abbrechen',
  deleteConfirm: 'Beitrag löschen',
};

export const deletePostText = inLanguage(en, de);
