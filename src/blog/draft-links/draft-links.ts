/** Links that show a draft to whoever has one, and how long they hold. */

const DAY = 24 * 3600;
/** Seconds. */
export const DRAFT_LINK_HOLDS = { day: DAY, week: 7 * DAY, month: 30 * DAY } as const;
export type DraftLinkTime = keyof typeof DRAFT_LINK_HOLDS;
export const DRAFT_LINK_TIMES = Object.keys(DRAFT_LINK_HOLDS) as readonly DraftLinkTime[];

export interface DraftLink {
  /** Absolute. */
  readonly url: string;
  /** ISO date. */
  readonly until: string;
}
