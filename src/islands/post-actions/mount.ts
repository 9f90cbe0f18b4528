import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PostActions } from './PostActions.tsx';

/** Mounts the author's buttons in `element`, which has `data-slug` and `data-user-id`. */
export function mountPostActions(element: HTMLElement): void {
  const { slug, userId } = element.dataset;
  if (slug && userId) createRoot(element).render(createElement(PostActions, { slug, userId }));
}
