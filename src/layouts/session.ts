/**
 * Mounts the islands of the header and the author's tools. shell.ts loads it in signed-in browsers and on island
 * pages.
 */
import { mountHeader, mountThemeToggle } from '#islands/header/mount.ts';

export { mountThemeToggle };

/** Returns true if the page shows a post that only this user may read. */
export async function mountIslands(): Promise<boolean> {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const [nav, actions, unpublished] = [
    find('[data-session-nav]'),
    find('[data-post-actions]'),
    find('[data-unpublished]'),
  ];
  if (!document.querySelector('astro-island')) (await import('./island-styles.ts')).adoptStyles();
  mountThemeToggle();
  if (nav) mountHeader(nav);
  try {
    if (actions) (await import('#islands/post-actions/mount.ts')).mountPostActions(actions);
    if (unpublished) return await (await import('#islands/unpublished/mount.ts')).mountUnpublished(unpublished);
  } catch {
    (actions ?? unpublished)?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true }));
  }
  return false;
}
