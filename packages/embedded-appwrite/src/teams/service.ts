/** The teams service: what its routes share. */
import type { Accounts } from '../account/accounts.ts';
import type { Kernel } from '../kernel.ts';
import { createTeamRecords, type TeamRecords } from './records.ts';

export interface TeamsService {
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly records: TeamRecords;
}

/** A user whose memberships change is looked up again, so that the next request has the new roles. */
export function createTeams(kernel: Kernel, accounts: Accounts): TeamsService {
  const records = createTeamRecords(kernel.store, (userId) => accounts.signIns.forget(userId));
  return { kernel, accounts, records };
}
