/** Mounts the islands of the header and the author's tools. shell.ts loads this script in signed-in browsers. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionNav } from '#islands/header/SessionNav.tsx';

/** Resolves to true if an island shows an unpublished post, or an error message in its place. */
export async function mountIslands(): Promise<boolean> {
  const [nav, actions, unpublished] = ['session-nav', 'post-actions', 'unpublished'].map((name) =>
    document.querySelector<HTMLElement>(`[data-${name}]`),
  );
  if (!document.querySelector('astro-island')) await adoptStyles();
  if (nav) createRoot(nav).render(createElement(SessionNav));
  try {
    if (actions) {
      const { PostActions } = await import('#islands/post-actions/PostActions.tsx');
      const { slug = '', userId = '', page } = actions.dataset;
      createRoot(actions).render(createElement(PostActions, { slug, userId, isPage: page !== undefined }));
    }
    if (unpublished) return await (await import('#islands/unpublished/Unpublished.tsx')).mountUnpublished(unpublished);
  } catch {
    (actions ?? unpublished)?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true }));
  }
  return false;
}

/** Loads the styles of islands, which public pages lack. */
async function adoptStyles(): Promise<void> {
  const { default: styles } = await import('#styles/app.css?inline');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
