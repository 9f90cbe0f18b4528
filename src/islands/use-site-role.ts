import { siteRole } from '#stores/account/site-role.ts';
import { useLoaded } from './use-loaded.ts';

/** Returns the user's role on the site; empty until it is loaded, for a user without a role, and for a guest. */
export const useSiteRole = (userId: string | undefined): string =>
  useLoaded(async () => userId && siteRole(userId), [userId]).value ?? '';
