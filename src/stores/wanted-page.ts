/** The form that a guest asked for before they were sent to sign in: they come back to it. It is this tab's alone. */

import { ADD_POST, LOGIN, SIGNUP } from '#blog/routes/paths.ts';

const KEY = 'common-ink:wanted';
const isForm = (path: string): boolean => path === ADD_POST || /^\/edit-post\/[^/]+$/.test(path);

/** Remembers the form that is shown. One that was merely loaded again, as after a logout, was not asked for. */
export function rememberWanted(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'reload' || !isForm(location.pathname)) return;
  try {
    sessionStorage.setItem(KEY, location.pathname);
  } catch {
    // Without storage they come to the home page.
  }
}

/** The path that was remembered, once; `otherwise` where there is none, or where somebody came here by another way. */
export function takeWanted(otherwise: string): string {
  try {
    const path = sessionStorage.getItem(KEY) ?? '';
    sessionStorage.removeItem(KEY);
    const from = URL.parse(document.referrer);
    const isOnTheWay = from?.origin === location.origin && [path, LOGIN, SIGNUP].includes(from.pathname);
    return isForm(path) && isOnTheWay ? path : otherwise;
  } catch {
    return otherwise;
  }
}
