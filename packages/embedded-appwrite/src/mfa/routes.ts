import type { Route } from '../http/route.ts';
import { challengeRoutes } from './challenge-routes.ts';
import { factorRoutes } from './factor-routes.ts';
import { recoveryCodeRoutes } from './recovery-code-routes.ts';
import type { MfaService } from './service.ts';
import { userFactorRoutes } from './user-routes.ts';

export function mfaRoutes(service: MfaService): Route[] {
  return [
    ...factorRoutes(service),
    ...recoveryCodeRoutes(service),
    ...challengeRoutes(service),
    ...userFactorRoutes(service),
  ];
}
