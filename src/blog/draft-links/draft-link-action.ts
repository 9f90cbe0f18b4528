/** What is asked of `/api/draft-link`. Apart from `draft-links.ts`, because browsers need none of the checks. */

import * as z from 'zod/mini';
import { isSlug } from '../slug-rules.ts';

const slug = z.string().check(z.refine(isSlug));

/** Asks for the link of a post, makes another in its place, or takes it back. */
export const draftLinkSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('find'), slug }),
  z.object({ action: z.literal('make'), slug, holds: z.enum(['day', 'week', 'month']) }),
  z.object({ action: z.literal('take-back'), slug }),
]);
export type DraftLinkAction = z.infer<typeof draftLinkSchema>;
