import { useEffect, useState } from 'react';
import { siteRole } from '#stores/account/site-role.ts';

/** Returns the user's role on the site; empty until it is loaded, for a user without a role, and for a guest. */
export function useSiteRole(userId: string | undefined): string {
  const [role, setRole] = useState('');
  useEffect(() => void (userId && siteRole(userId).then(setRole)), [userId]);
  return role;
}
