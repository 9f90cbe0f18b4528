import type { Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Accounts } from './accounts.ts';
import { profileRoutes } from './profile-routes.ts';
import { jwtRoutes } from './sessions/jwt-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { recoveryRoutes } from './tokens/recovery-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { tokenSessionRoutes } from './tokens/token-session-routes.ts';
import { verificationRoutes } from './tokens/verification-routes.ts';

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
