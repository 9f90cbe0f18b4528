/** The teams service: what its routes share. */
import type { Accounts } from '../account/accounts.ts';
import { directOutbox, type Outbox } from '../direct-outbox.ts';
import type { Kernel } from '../kernel.ts';
import type { InvitationMail } from './invitation-mail.ts';
import { createTeamRecords, type TeamRecords } from './records.ts';

export interface TeamsService {
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly records: TeamRecords;
  /** Absent where no mail can be sent. */
  readonly outbox: Outbox<InvitationMail> | undefined;
}

/** Whoever's memberships change is forgotten as signed in, so that their next request has the new roles. */
export function createTeams(kernel: Kernel, accounts: Accounts): TeamsService {
  const { store, options } = kernel;
  const records = createTeamRecords(store, (userId) => accounts.signIns.forget(userId));
  const outbox = options.sendInvitation && directOutbox(store, options.sendInvitation);
  return { kernel, accounts, records, outbox };
}
