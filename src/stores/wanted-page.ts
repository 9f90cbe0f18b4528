/** The page that a guest asked for before they were sent to sign in: they come back to it. It is this tab's alone. */

const KEY = 'common-ink:wanted';
/** Milliseconds after which somebody who signs in wants something else. */
const KEPT = 30 * 60_000;

/** Remembers the page that is shown. One that was merely loaded again, as after a logout, was not asked for. */
export function rememberWanted(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'reload') return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, at: Date.now() }));
  } catch {
    // Without storage they come to the home page.
  }
}

/** The path that was remembered, once; `otherwise` where there is none. */
export function takeWanted(otherwise: string): string {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    sessionStorage.removeItem(KEY);
    const { path, at } = kept as { path: string; at: number };
    // An address of this site: `//` would lead to another.
    return Date.now() - at < KEPT && /^\/(?!\/)/.test(path) ? path : otherwise;
  } catch {
    return otherwise;
  }
}
