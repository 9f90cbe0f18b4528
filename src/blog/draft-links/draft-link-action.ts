import * as z from 'zod/mini';
import { isSlug } from '../slug-rules.ts';

const slug = z.string().check(z.refine(isSlug));

export const draftLinkSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('find'), slug }),
  z.object({ action: z.literal('make'), slug, holds: z.enum(['day', 'week', 'month']) }),
  z.object({ action: z.literal('take-back'), slug }),
]);
export type DraftLinkAction = z.infer<typeof draftLinkSchema>;
