import type { SiteState } from '#blog/people.ts';
import { send } from '../send.ts';
import { store, stored } from '../web-storage.ts';

/** Session storage key of the role, which is stored to save a request per page. */
const KEY = 'common-ink:site-role';

export const rememberRole = (userId: string, { role = '' }: { readonly role?: string | undefined }): void =>
  store('sessionStorage', KEY, `${userId} ${role}`);

/** Returns the user's role on the site; empty if the user has none or the server does not respond. */
export async function siteRole(userId: string): Promise<string> {
  const [ofUser, role = ''] = stored('sessionStorage', KEY)?.split(' ') ?? [];
  if (ofUser === userId) return role;
  const response = await send('/api/site').catch(() => undefined);
  if (!response?.ok) return '';
  const state: SiteState = await response.json();
  rememberRole(userId, state);
  return state.role ?? '';
}
