/** A user as stored, and the JSON the account and users services answer with (contract 2.1). */

export interface UserRecord {
  /** Ascending by creation. */
  readonly sequence: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  /** Lower-case; empty for anonymous users. */
  readonly email: string;
  readonly phone: string;
  readonly emailVerification: boolean;
  readonly phoneVerification: boolean;
  /** False: blocked. */
  readonly status: boolean;
  readonly labels: readonly string[];
  readonly prefs: Readonly<Record<string, unknown>>;
  /** PHC string; empty when the user has no password. */
  readonly password: string;
  /** Date of the contract's form, or empty. */
  readonly passwordUpdate: string;
  readonly registration: string;
  readonly accessedAt: string;
  /** Id of the e-mail target, empty without e-mail. */
  readonly targetId: string;
}
