/** Every route of the account service. */
import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { profileRoutes } from './profile-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';

export function accountRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  return [...profileRoutes(kernel, accounts), ...sessionRoutes(kernel, accounts), ...tokenRoutes(kernel, accounts)];
}
