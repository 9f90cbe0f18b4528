/** What a slug may be. It is the document's `$id`, so Appwrite's rule for ids holds, in lower case (product.md, "How the spec is read"). */

import * as z from 'zod/mini';

/** Longest slug in characters: the longest id Appwrite takes. */
export const SLUG_MAX = 36;

/** True for a text that can be a post's slug. Use it on route parameters, before the backend is asked. */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,35}$/.test(text);

/** The form's slug field. Each fault has its own words, and only the first is given. */
export const slugSchema = z.string().check(
  z.trim(),
  z.superRefine((slug, context) => {
    const fault = slugFault(slug);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  }),
);

function slugFault(slug: string): string | undefined {
  if (slug === '') return 'Enter a slug.';
  if (/^[._-]+$/.test(slug)) return 'Use at least one letter or number in the slug.';
  if (/[^a-z0-9._-]/.test(slug)) return 'Use only small letters a-z, numbers, dots, hyphens and underscores.';
  if (/^[._-]/.test(slug)) return 'Start the slug with a letter or a number.';
  if (slug.length > SLUG_MAX) return `Use at most ${SLUG_MAX} characters in the slug; it has ${slug.length}.`;
  return undefined;
}
