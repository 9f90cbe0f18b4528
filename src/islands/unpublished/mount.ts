/** The 404 page of a post in a signed-in browser: asks the backend as that user before it says "not found". */

import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { postText, viewMessage } from '#blog/messages.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { checkUser } from '#stores/account/auth.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { Unpublished } from './Unpublished.tsx';
import { ViewError } from './ViewError.tsx';

/** Returns true if the page shows the post or the reason why it cannot be fetched. */
export async function mountUnpublished(element: HTMLElement): Promise<boolean> {
  const slug = slugInAddress();
  const { user } = await checkUser();
  if (!user || !slug) return false;
  const root = createRoot(element);
  const notFound = document.querySelector<HTMLElement>('[data-not-found]');
  const show = (content: ReactNode) => {
    if (notFound) notFound.hidden = content !== null;
    root.render(content);
  };
  show(createElement(Spinner, { label: postText.loading }));
  try {
    const post = await findPost(slug);
    if (post) {
      const { presentable } = await import('./presentable.ts');
      document.title = document.title.replace(/^.*( · )/, () => `${post.title} · `);
      show(createElement(Unpublished, { post, user, html: presentable(post.content) }));
      return true;
    }
    show(null);
    root.unmount();
    return false;
  } catch (error) {
    show(createElement(ViewError, { message: viewMessage(error) }));
    return true;
  }
}

function slugInAddress(): string | undefined {
  const slug = location.pathname.split('/')[2] ?? '';
  return isSlug(slug) ? slug : undefined;
}
