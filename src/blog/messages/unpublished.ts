import de from './de/unpublished.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  notPublished: 'Not published',
  notPublishedHelp: {
    post: 'Readers can’t see this post. To publish it, edit it and set it to active.',
    page: 'Readers can’t see this page. To publish it, edit it and set it to active.',
  },
} as const;

export const unpublishedText = textsOf(en, de);
