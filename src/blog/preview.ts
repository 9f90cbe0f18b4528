/** The body of a request for a preview, with the form's fields as entered, valid or not. */

import * as z from 'zod/mini';
import { eachOtherText, PAGE_KINDS, POST_FIELDS } from './post.ts';
import { isSlug } from './slug-rules.ts';

const INVALID_MAX = 10_000;
const INVALID_LIST_MAX = 100;

export const previewSchema = z.object({
  ...eachOtherText(() => z.optional(z.string().check(z.maxLength(INVALID_MAX)))),
  title: z.string().check(z.maxLength(INVALID_MAX)),
  content: z.string().check(z.maxLength(POST_FIELDS.content.size)),
  kind: z.optional(z.enum(['', ...PAGE_KINDS])),
  tags: z.optional(
    z.readonly(z.array(z.string().check(z.maxLength(INVALID_MAX))).check(z.maxLength(INVALID_LIST_MAX))),
  ),
  featuredImage: z.string().check(z.regex(/^([a-zA-Z0-9][a-zA-Z0-9._-]{0,35})?$/)),
  existing: z.optional(
    z.object({
      slug: z.string().check(z.refine(isSlug)),
      createdAt: z.string().check(z.iso.datetime({ offset: true })),
    }),
  ),
});
export type PreviewedPost = z.infer<typeof previewSchema>;
