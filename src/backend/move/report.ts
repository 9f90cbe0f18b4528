import type { SurveyOptions } from '../foreign-blog/survey.ts';

export type DocumentStage = 'posts' | 'revisions' | 'settings' | 'subscribers' | 'issues' | 'passkeys';
export type Stage = DocumentStage | 'users' | 'members' | 'files';

export interface StageReport {
  created: number;
  updated: number;
  unchanged: number;
  /** Reasons for leaving items unchanged, by id; usually, the destination has a newer version. */
  readonly kept: Map<string, string>;
  /** Accounts moved without a password, each with the hash algorithm that the destination does not accept. */
  readonly withoutPassword: string[];
  readonly withoutSecondFactor: string[];
  /** People with passkeys that do not work at the destination's host. */
  readonly withoutPasskey: string[];
  readonly failed: string[];
}

export type MoveReport = Readonly<Record<Stage, StageReport>>;

export interface MoveOptions extends Pick<SurveyOptions, 'fields' | 'makePublic'> {
  /** Counts and compares without changing anything. */
  readonly dryRun: boolean;
  /** Host of the destination's site address. */
  readonly host: string;
  readonly onProgress?: (stage: Stage, done: number) => void;
}

export const newStageReport = (): StageReport => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  kept: new Map(),
  withoutPassword: [],
  withoutSecondFactor: [],
  withoutPasskey: [],
  failed: [],
});
