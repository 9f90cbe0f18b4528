const DAY = 24 * 3600;
export const DRAFT_LINK_HOLDS = { day: DAY, week: 7 * DAY, month: 30 * DAY } as const;
export type DraftLinkTime = keyof typeof DRAFT_LINK_HOLDS;
export const DRAFT_LINK_TIMES = Object.keys(DRAFT_LINK_HOLDS) as readonly DraftLinkTime[];

export interface DraftLink {
  readonly url: string;
  readonly until: string;
}
