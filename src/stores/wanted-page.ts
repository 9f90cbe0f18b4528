/** The form page that a guest opened before the redirect to the login page, stored for this tab. */

import { ADD_POST, LOGIN, SIGNUP } from '#blog/routes/paths.ts';
import { store, stored } from './web-storage.ts';

const KEY = 'common-ink:wanted';
const isForm = (path: string): boolean => path === ADD_POST || /^\/edit-post\/[^/]+$/.test(path);

/** Stores the path of the open form page. Ignores a reload, such as after a logout. */
export function rememberWanted(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type !== 'reload' && isForm(location.pathname)) store('sessionStorage', KEY, location.pathname);
}

/** Removes the stored path. Returns it if the visitor comes from that page, login or signup; else `otherwise`. */
export function takeWanted(otherwise: string): string {
  const path = stored('sessionStorage', KEY) ?? '';
  store('sessionStorage', KEY, null);
  const from = URL.parse(document.referrer);
  const isOnTheWay = from?.origin === location.origin && [path, LOGIN, SIGNUP].includes(from.pathname);
  return isForm(path) && isOnTheWay ? path : otherwise;
}
