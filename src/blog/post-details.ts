import * as z from 'zod/mini';
import { detailText } from './messages/post-details.ts';
import { POST_FIELDS } from './post.ts';

export const TAG_SIZE = POST_FIELDS.tags.size;
export const TAGS_MOST = POST_FIELDS.tags.most;

/** The name of a tag. Replaces commas with spaces, because commas separate tags that are typed on one line. */
export const tagSchema = z.string().check(
  z.overwrite((name) => name.replace(/[\s,]+/g, ' ').trim()),
  z.refine((name) => /[\p{L}\p{N}]/u.test(name), detailText.tagOfMarks),
  z.maxLength(TAG_SIZE, detailText.tagTooLong({ most: TAG_SIZE })),
);
