import type { Accounts } from '../account/accounts.ts';
import type { Kernel } from '../kernel.ts';
import { createTeamRecords, type TeamRecords } from './records.ts';

export interface TeamsService {
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly records: TeamRecords;
}

/** Drops a user's cached sign-ins when their memberships change, so that the next request has the new roles. */
export function createTeams(kernel: Kernel, accounts: Accounts): TeamsService {
  const records = createTeamRecords(kernel.store, (userId) => accounts.signIns.forget(userId));
  return { kernel, accounts, records };
}
