import { useEffect, useState } from 'react';
import { siteRole } from '#stores/account/site-role.ts';

/** Returns the user's role on the site once it is known, or empty. Asks only for a user. */
export function useSiteRole(userId: string | undefined): string {
  const [role, setRole] = useState('');
  useEffect(() => void (userId && siteRole(userId).then(setRole)), [userId]);
  return role;
}
