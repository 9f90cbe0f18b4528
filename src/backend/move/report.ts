/** What a move did, and what it tells while it does it. */

const STAGES = ['users', 'members', 'posts', 'revisions', 'files'] as const;
export type Stage = (typeof STAGES)[number];

export interface StageReport {
  created: number;
  updated: number;
  unchanged: number;
  /** By id, why a thing was left as it is at the receiving end: it is newer there. */
  readonly kept: Map<string, string>;
  /** Accounts whose password is hashed in a way that the receiving end cannot be given, and how. */
  readonly withoutPassword: string[];
  /** Accounts that have a second factor at the source, or had one at the receiving end, and have none there now. */
  readonly withoutSecondFactor: string[];
  /** One sentence each. */
  readonly failed: string[];
}

export type MoveReport = Readonly<Record<Stage, StageReport>>;

export interface MoveOptions {
  /** Count and compare, change nothing. */
  readonly dryRun: boolean;
  /** Called after each document, file or user. */
  readonly onProgress?: (stage: Stage, done: number) => void;
}

export const newStageReport = (): StageReport => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  kept: new Map(),
  withoutPassword: [],
  withoutSecondFactor: [],
  failed: [],
});
