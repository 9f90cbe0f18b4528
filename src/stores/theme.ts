/** Light or dark: what is stored, what is shown, and how tabs stay in step. */

import { atom } from 'nanostores';

export type Theme = 'light' | 'dark';

const THEME_KEY = 'common-ink:theme';

/** The mode the document shows. The class on `<html>` is set before the first paint; this store takes it over. */
export const $theme = atom<Theme>('light');

/** The stored preference, otherwise the system's. */
export function preferredTheme(): Theme {
  const stored = read();
  if (stored) return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Shows `mode` and keeps it. */
export function setTheme(mode: Theme): void {
  show(mode);
  try {
    localStorage.setItem(THEME_KEY, mode);
  } catch {
    // Storage is switched off: the choice lasts for this page.
  }
}

export function toggleTheme(): void {
  setTheme($theme.get() === 'dark' ? 'light' : 'dark');
}

/** Shows the preferred theme and follows other tabs, and the system as long as nothing was chosen. Gives the way to stop. */
export function startTheme(): () => void {
  show(preferredTheme());
  const follow = () => show(preferredTheme());
  const fromTab = (event: StorageEvent) => {
    if (event.key === THEME_KEY || event.key === null) follow();
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  window.addEventListener('storage', fromTab);
  system.addEventListener('change', follow);
  return () => {
    window.removeEventListener('storage', fromTab);
    system.removeEventListener('change', follow);
  };
}

function show(mode: Theme): void {
  document.documentElement.classList.toggle('dark', mode === 'dark');
  $theme.set(mode);
}

function read(): Theme | undefined {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}
