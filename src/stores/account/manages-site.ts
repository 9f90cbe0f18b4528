import type { SiteState } from '#blog/people.ts';
import { send } from '../send.ts';

/** Kept for the tab, so that pages do not ask each time. */
const KEY = 'common-ink:manages-site';

/** Every signed-in page loads this file, so it does without the schemas beside `isModerator`. */
const manages = ({ role }: Pick<SiteState, 'role'>): boolean => role === 'owner' || role === 'editor';

export function rememberRole(userId: string, state: SiteState): void {
  try {
    sessionStorage.setItem(KEY, `${userId} ${manages(state)}`);
  } catch {
    // Without storage, each page asks.
  }
}

/** Returns true if the user is an owner or editor of the site; false too if the server does not answer. */
export async function managesSite(userId: string): Promise<boolean> {
  const known = sessionStorage.getItem(KEY)?.split(' ');
  if (known?.[0] === userId) return known[1] === 'true';
  const response = await send('/api/site').catch(() => undefined);
  if (!response?.ok) return false;
  const state = (await response.json()) as SiteState;
  rememberRole(userId, state);
  return manages(state);
}
