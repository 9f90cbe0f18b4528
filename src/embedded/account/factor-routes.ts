/** Which second factors a user has (contract, part 2, 8). */
import { type Route, route } from '../http/route.ts';
import { signedInUser } from './profile-routes.ts';

export function factorRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/account/mfa/factors',
      scope: 'account',
      params: {},
      handle({ caller }) {
        const { email, emailVerification } = signedInUser(caller);
        const factors = { totp: false, phone: false, email: email !== '' && emailVerification, recoveryCode: false };
        return { status: 200, body: factors };
      },
    }),
  ];
}
