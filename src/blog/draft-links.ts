/** Links that show a draft to whoever has one: how long they hold, and what is asked of `/api/draft-link`. */

import * as z from 'zod/mini';
import { isSlug } from './slug-rules.ts';

const DAY = 24 * 3600;
/** Seconds. */
export const DRAFT_LINK_HOLDS = { day: DAY, week: 7 * DAY, month: 30 * DAY } as const;
export type DraftLinkTime = keyof typeof DRAFT_LINK_HOLDS;
export const DRAFT_LINK_TIMES = Object.keys(DRAFT_LINK_HOLDS) as readonly DraftLinkTime[];

const slug = z.string().check(z.refine(isSlug));

/** Asks for the link of a post, makes another in its place, or takes it back. */
export const draftLinkSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('find'), slug }),
  z.object({ action: z.literal('make'), slug, holds: z.enum(['day', 'week', 'month']) }),
  z.object({ action: z.literal('take-back'), slug }),
]);
export type DraftLinkAction = z.infer<typeof draftLinkSchema>;

export interface DraftLink {
  /** Absolute. */
  readonly url: string;
  /** ISO date. */
  readonly until: string;
}
