/** Limits the membership fields that team members see. Set with a server key (contract part 2, section 6.4). */
import { boolean, optional } from '../http/params.ts';
import { endpoint, ok, type Route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import type { Store } from '../sqlite/store.ts';
import { type MembershipPrivacy, ofEachField } from './team.ts';

const NAME = 'membership-privacy';
const PATH = '/project/policies/membership-privacy';

/** Returns the policy. By default, it hides everything; callers with a server key can change it. */
export function membershipPrivacy(store: Store): MembershipPrivacy {
  const row = store.prepare('SELECT value FROM server_values WHERE name = ?').get(NAME);
  return { ...ofEachField(false), ...(row && (JSON.parse(row.value as string) as Partial<MembershipPrivacy>)) };
}

export function privacyRoutes({ store }: Kernel): Route[] {
  const answer = () => ok({ $id: NAME, ...membershipPrivacy(store) });
  const shown = ofEachField(optional(boolean(), undefined));
  return [
    endpoint(`GET ${PATH}`, 'project.policies.read', {}, answer),
    endpoint(`PATCH ${PATH}`, 'project.policies.write', shown, async ({ params }) => {
      const given = Object.entries(params).filter(([, value]) => value !== undefined);
      await store.write(() => {
        const value = JSON.stringify({ ...membershipPrivacy(store), ...Object.fromEntries(given) });
        store.prepare('INSERT OR REPLACE INTO server_values (name, value) VALUES (?, ?)').run(NAME, value);
      });
      return answer();
    }),
  ];
}
