import de from './de/sending.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  undescribedTitle: 'Publish without descriptions?',
  undescribed: {
    one: 'One picture has no description. Readers who cannot see it will not know what it shows.',
    other: '{count} pictures have no description. Readers who cannot see them will not know what they show.',
  },
  describe: { one: 'Describe it', other: 'Describe them' },
  publishAnyway: 'Publish anyway',
  featuredUpload: 'Upload of the featured image',
  featuredLost: 'The featured image could not be uploaded. Your text is still here.',
} as const;

export const sendingText = textsOf(en, de);
