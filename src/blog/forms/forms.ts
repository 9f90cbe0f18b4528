/** The schema of the post form with its messages and limits (spec 5), shared by the form, imports and tests. */

// Uses the tree-shakeable variant of Zod, so that the browser loads only the checks used here.
import * as z from 'zod/mini';
import { MOST_TAGS, tagsIn } from '../content/markup-limit.ts';
import { formText } from '../messages.ts';
import { isPageSlug, RESERVED_SLUGS } from '../page-slugs.ts';
import { PAGE_KINDS, POST_FIELDS, POST_STATUSES } from '../post.ts';
import { hasPassed, isBackwards } from '../schedule/hours.ts';
import { isSlug, SLUG_MAX } from '../slug-rules.ts';

export const TITLE_MAX = POST_FIELDS.title.size;
export const CONTENT_MAX = POST_FIELDS.content.size;

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
  if (slug.length > SLUG_MAX) return formText.slugTooLong({ length: slug.length, most: SLUG_MAX });
  return undefined;
}

/** Fields of the post form (spec 5), plus scheduled times and kind. `imageFault` checks the picture separately. */
export const postSchema = z
  .object({
    publishAt: z.optional(z.string()),
    unpublishAt: z.optional(z.string()),
    kind: z.optional(z.enum(['', ...PAGE_KINDS])),
    title: z.string().check(
      z.trim(),
      z.minLength(1, formText.titleRequired),
      z.maxLength(TITLE_MAX, {
        error: (issue) => formText.titleTooLong({ length: String(issue.input).length, most: TITLE_MAX }),
      }),
    ),
    slug: slugSchema,
    content: z.string().check(
      z.maxLength(CONTENT_MAX, {
        error: (issue) => formText.contentTooLong({ length: String(issue.input).length, most: CONTENT_MAX }),
      }),
      z.refine((html) => tagsIn(html) <= MOST_TAGS, {
        error: (issue) =>
          formText.contentTooMarked({ elements: Math.ceil(tagsIn(String(issue.input)) / 2), most: MOST_TAGS / 2 }),
      }),
    ),
    status: z.enum(POST_STATUSES, formText.statusRequired),
  })
  .check(
    z.refine((form) => !hasPassed(form, 'publishAt'), { path: ['publishAt'], error: formText.hourPassed }),
    z.refine((form) => !hasPassed(form, 'unpublishAt'), { path: ['unpublishAt'], error: formText.hourPassed }),
    z.refine((form) => !isBackwards(form), { path: ['unpublishAt'], error: formText.hoursBackwards }),
    z.refine(({ kind, slug }) => !kind || !isSlug(slug) || isPageSlug(slug), {
      path: ['slug'],
      error: () => formText.slugReserved({ list: RESERVED_SLUGS.join(', ') }),
    }),
  );
export type PostForm = z.infer<typeof postSchema>;
