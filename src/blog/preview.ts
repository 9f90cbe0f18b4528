/** A post that is not saved yet, as the preview is asked for: the form's fields as they stand, valid or not. */

import * as z from 'zod/mini';
import { eachTextField, POST_FIELDS } from './post.ts';
import { isSlug } from './slug-rules.ts';

/** In place of the id of a picture that was chosen and not uploaded yet: the browser puts its own copy there. */
export const UNSENT_PICTURE = 'unsent';

/** Characters of a text field that are shown although the form would refuse them. */
const INVALID_MAX = 10_000;

export const previewSchema = z.object({
  ...eachTextField((name) => z.string().check(z.maxLength(Math.max(POST_FIELDS[name].size, INVALID_MAX)))),
  /** Id of a stored file, `UNSENT_PICTURE`, or empty. */
  featuredImage: z.string().check(z.regex(/^([a-zA-Z0-9][a-zA-Z0-9._-]{0,35})?$/)),
  /** Of a post that exists; a new one has none. */
  existing: z.optional(
    z.object({
      slug: z.string().check(z.refine(isSlug)),
      createdAt: z.string().check(z.iso.datetime({ offset: true })),
    }),
  ),
});
export type PreviewedPost = z.infer<typeof previewSchema>;
