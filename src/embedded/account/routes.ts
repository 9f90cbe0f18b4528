/** Every route of the account service. */
import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { jwtRoutes } from './jwt-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { tokenSessionRoutes } from './token-session-routes.ts';
import { verificationRoutes } from './verification-routes.ts';

export function accountRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  return [
    ...profileRoutes(kernel, accounts),
    ...sessionRoutes(kernel, accounts),
    ...tokenSessionRoutes(kernel, accounts),
    ...jwtRoutes(accounts),
    ...recoveryRoutes(kernel, accounts),
    ...verificationRoutes(kernel, accounts),
    ...tokenRoutes(kernel, accounts),
  ];
}
