/** What the form's slug field accepts, with the words for everything it does not. */

import * as z from 'zod/mini';
import { formText } from '../messages.ts';
import { SLUG_MAX } from '../slug-rules.ts';

/** Each fault has its own words, and only the first is given. */
export const slugSchema = z.string().check(
  z.trim(),
  z.superRefine((slug, context) => {
    const fault = slugFault(slug);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  }),
);

function slugFault(slug: string): string | undefined {
  if (slug === '') return formText.slugRequired;
  if (/^[._-]+$/.test(slug)) return formText.slugOfMarks;
  if (/[^a-z0-9._-]/.test(slug)) return formText.slugCharacters;
  if (/^[._-]/.test(slug)) return formText.slugStart;
  if (slug.length > SLUG_MAX) return formText.slugTooLong(slug.length, SLUG_MAX);
  return undefined;
}
