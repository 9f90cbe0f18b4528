/** What a signed-in browser gets on a public page: its navigation, and the author's tools. Loaded by shell.ts, never for guests. */
import { mountHeader } from '#islands/header/mount.ts';

/** Gives true when the page turned out to hold a post that this visitor alone may read. */
export async function mountIslands(): Promise<boolean> {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const [nav, actions, unpublished] = [
    find('[data-session-nav]'),
    find('[data-post-actions]'),
    find('[data-unpublished]'),
  ];
  // An island page has the islands' styles already.
  if (!document.querySelector('astro-island')) (await import('./island-styles.ts')).adoptStyles();
  if (nav) mountHeader(nav);
  try {
    if (actions) (await import('#islands/post-actions/mount.ts')).mountPostActions(actions);
    if (unpublished) return await (await import('#islands/unpublished/mount.ts')).mountUnpublished(unpublished);
  } catch {
    (actions ?? unpublished)?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true }));
  }
  return false;
}
