const STAGES = ['users', 'members', 'posts', 'revisions', 'files', 'settings'] as const;
export type Stage = (typeof STAGES)[number];

export interface StageReport {
  created: number;
  updated: number;
  unchanged: number;
  /** Reason, by id, why an item was left unchanged: usually because the receiving site's is newer. */
  readonly kept: Map<string, string>;
  /** Accounts whose kind of password hash the receiving backend does not accept, with that kind. */
  readonly withoutPassword: string[];
  readonly withoutSecondFactor: string[];
  readonly failed: string[];
}

export type MoveReport = Readonly<Record<Stage, StageReport>>;

export interface MoveOptions {
  /** Counts and compares without changing anything. */
  readonly dryRun: boolean;
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
