/**
 * Lines that cannot hold, each with its reason; at most five. Their tests run all the same: one that fails is reported as
 * skipped with the reason, one that passes fails the run, so that no exception outlives its cause.
 */
export interface Exception {
  /** `embedded`: the backend of this project. `attached`: a server given by `--endpoint`. */
  readonly on: 'embedded' | 'attached';
  readonly reason: string;
}

export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  R23: { on: 'attached', reason: 'Appwrite releases up to 1.9.6 do not read ?jwt= on the socket' },
};
