/** The theme (spec 3): light or dark, stored, and shown by the `dark` class of the root element. */

import { atom, onMount } from 'nanostores';

export type Theme = 'light' | 'dark';

/** Also read by `layouts/theme-init.js` before the first paint. */
const THEME_KEY = 'common-ink:theme';

export const $theme = atom<Theme>('light');

const shown = (): Theme => (document.documentElement.classList.contains('dark') ? 'dark' : 'light');

onMount($theme, () => {
  const follow = () => $theme.set(shown());
  follow();
  // `layouts/shell.ts` changes the class, too: for the button of public pages and for other tabs.
  const observer = new MutationObserver(follow);
  observer.observe(document.documentElement, { attributeFilter: ['class'] });
  return () => observer.disconnect();
});

/** Switches the theme and stores it for the next page. */
export function toggleTheme(): void {
  const theme = shown() === 'dark' ? 'light' : 'dark';
  document.documentElement.classList.toggle('dark', theme === 'dark');
  $theme.set(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage is disabled: the theme lasts for this page only.
  }
}
