/** The theme, shared by the islands of a page (specification 3): light or dark, saved, and the `dark` class on the document. */

import { atom, onMount } from 'nanostores';

export type Theme = 'light' | 'dark';

/** Also read before the first paint, by `layouts/theme-init.js`. */
const THEME_KEY = 'common-ink:theme';

export const $theme = atom<Theme>('light');

const shown = (): Theme => (document.documentElement.classList.contains('dark') ? 'dark' : 'light');

onMount($theme, () => {
  const follow = () => $theme.set(shown());
  follow();
  // `layouts/shell.ts` has the readers' toggle and listens for other tabs: both sides go by the class.
  const observer = new MutationObserver(follow);
  observer.observe(document.documentElement, { attributeFilter: ['class'] });
  return () => observer.disconnect();
});

/** Shows the other theme and saves it for the next page. */
export function toggleTheme(): void {
  const theme = shown() === 'dark' ? 'light' : 'dark';
  document.documentElement.classList.toggle('dark', theme === 'dark');
  $theme.set(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage is switched off: the choice lasts for this page.
  }
}
