/** What a signed-in browser gets on a public page: its navigation, and the author's tools. Loaded by shell.ts, never for guests. */
import { mountHeader } from '#islands/header/mount.ts';
import styles from '#styles/app.css?inline';

/** Gives true when the page turned out to hold a post that this visitor alone may read. */
export async function mountIslands(): Promise<boolean> {
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const [nav, actions, unpublished] = [
    find('[data-session-nav]'),
    find('[data-post-actions]'),
    find('[data-unpublished]'),
  ];
  adoptStyles();
  if (nav) mountHeader(nav);
  try {
    if (actions) (await import('#islands/post-actions/mount.ts')).mountPostActions(actions);
    if (unpublished) return await (await import('#islands/unpublished/mount.ts')).mountUnpublished(unpublished);
  } catch {
    (actions ?? unpublished)?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true }));
  }
  return false;
}

/** The islands' styles come with them: guests do not carry them. An island page has them already. */
function adoptStyles(): void {
  if (document.querySelector('astro-island')) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
