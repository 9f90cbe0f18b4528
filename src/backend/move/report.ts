const STAGES = ['users', 'members', 'posts', 'revisions', 'files', 'settings', 'subscribers', 'issues'] as const;
export type Stage = (typeof STAGES)[number];

export interface StageReport {
  created: number;
  updated: number;
  unchanged: number;
  /** Reasons for leaving items unchanged, by id: usually a newer version on the receiving site. */
  readonly kept: Map<string, string>;
  /** Accounts moved without a password, each with its hash algorithm, which the receiving backend does not accept. */
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
