/**
 * Lists the checks that cannot pass, each with its reason; at most five. Their tests still run: a failure is reported
 * as skipped with the reason, a pass fails the run, so that no exception outlives its cause.
 */
export interface Exception {
  /** `embedded`: this project's backend. `attached`: the server given by `--endpoint`. */
  readonly on: 'embedded' | 'attached';
  readonly reason: string;
}

export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  R23: { on: 'attached', reason: 'Appwrite releases up to 1.9.6 do not read ?jwt= on the socket' },
};
