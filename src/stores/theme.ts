/** The theme (spec 3), stored as the `dark` class of the root element. `layouts/shell.ts` switches and saves it. */

import { atom, onMount } from 'nanostores';

export const $theme = atom<'light' | 'dark'>('light');

onMount($theme, () => {
  const root = document.documentElement;
  const follow = () => $theme.set(root.classList.contains('dark') ? 'dark' : 'light');
  follow();
  const observer = new MutationObserver(follow);
  observer.observe(root, { attributeFilter: ['class'] });
  return () => observer.disconnect();
});
