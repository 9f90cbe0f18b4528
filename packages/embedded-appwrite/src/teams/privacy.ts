/** Membership privacy: a project policy, set by key, on which fields members see (contract, part 2, 6.4). */
import { boolean, optional } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Store } from '../sqlite/store.ts';
import type { MembershipPrivacy } from './team.ts';

const NAME = 'membership-privacy';
const PATH = '/project/policies/membership-privacy';

const NOTHING: MembershipPrivacy = {
  userId: false,
  userEmail: false,
  userPhone: false,
  userName: false,
  userMFA: false,
  userAccessedAt: false,
};

/** Returns the policy. It hides everything until a key changes it. */
export function membershipPrivacy(store: Store): MembershipPrivacy {
  const row = store.prepare('SELECT value FROM server_values WHERE name = ?').get(NAME);
  return row ? { ...NOTHING, ...(JSON.parse(row.value as string) as Partial<MembershipPrivacy>) } : NOTHING;
}

export function privacyRoutes({ store }: Kernel): Route[] {
  const answer = () => ({ status: 200, body: { $id: NAME, ...membershipPrivacy(store) } });
  const shown = optional(boolean(), undefined);
  return [
    route({
      method: 'GET',
      path: PATH,
      scope: 'project.policies.read',
      params: {},
      handle: answer,
    }),
    route({
      method: 'PATCH',
      path: PATH,
      scope: 'project.policies.write',
      params: {
        userId: shown,
        userEmail: shown,
        userPhone: shown,
        userName: shown,
        userMFA: shown,
        userAccessedAt: shown,
      },
      async handle({ params }) {
        const given = Object.entries(params).filter(([, value]) => value !== undefined);
        await store.write(() => {
          const value = JSON.stringify({ ...membershipPrivacy(store), ...Object.fromEntries(given) });
          store.prepare('INSERT OR REPLACE INTO server_values (name, value) VALUES (?, ?)').run(NAME, value);
        });
        return answer();
      },
    }),
  ];
}
