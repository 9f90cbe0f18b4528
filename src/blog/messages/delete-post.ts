import de from './de/delete-post.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  deleteTitle: 'Confirm deletion',
  deleteQuestion: 'This action cannot be undone. The post and its media will be permanently removed.',
  deleteCancel: 'Cancel',
  deleteConfirm: 'Delete post',
} as const;

export const deletePostText = textsOf(en, de);
