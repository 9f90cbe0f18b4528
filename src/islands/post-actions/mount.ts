/** Puts the author's tools onto a post's page. */

import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PostActions } from './PostActions.tsx';

/** `element` names the post: `data-slug` and `data-user-id`. */
export function mountPostActions(element: HTMLElement): void {
  const { slug, userId } = element.dataset;
  if (slug && userId) createRoot(element).render(createElement(PostActions, { slug, userId }));
}
