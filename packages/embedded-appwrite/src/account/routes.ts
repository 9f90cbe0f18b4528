import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { profileRoutes } from './profile-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { proofRoutes } from './tokens/proof-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';

export function accountRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  return [profileRoutes, sessionRoutes, tokenRoutes, proofRoutes].flatMap((routes) => routes(kernel, accounts));
}
