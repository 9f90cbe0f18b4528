import type { Accounts } from '../account/accounts.ts';
import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { membershipRoutes } from './membership-routes.ts';
import { privacyRoutes } from './privacy.ts';
import { createTeamRecords } from './records.ts';
import { teamRoutes } from './team-routes.ts';

export function teamsRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const records = createTeamRecords(kernel.store, accounts.signIns.forget);
  return [
    ...teamRoutes(kernel, records),
    ...membershipRoutes(kernel, accounts, records),
    ...invitationRoutes(kernel, accounts, records),
    ...privacyRoutes(kernel),
  ];
}
