/** Shows an inactive post to its author, on the page that is "not found" for other readers. */

import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { chosenLanguage } from '#blog/content/code/languages.ts';
import { unpublishedText } from '#blog/messages/unpublished.ts';
import { errorLine, postText, viewMessage } from '#blog/messages.ts';
import { hasByline, isPage, type Post } from '#blog/post.ts';
import { isSlug } from '#blog/slug-rules.ts';
import type { User } from '#blog/user.ts';
import { Byline } from '#components/article/Byline.tsx';
import { PostPicture } from '#components/article/pictures.tsx';
import { ButtonLink } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { checkUser } from '#stores/account/auth.ts';
import { findPost } from '#stores/posts/post-actions.ts';
import { currentSite } from '#stores/site.ts';
import { PostActions } from '../post-actions/PostActions.tsx';

/** Requests the post as the signed-in user. Returns true if the page now shows the post or an error message. */
export async function mountUnpublished(element: HTMLElement): Promise<boolean> {
  const [, slug = ''] = /^(?:\/post)?\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  const { user } = await checkUser();
  if (!user || !isSlug(slug)) return false;
  const root = createRoot(element);
  const notFound = document.querySelector<HTMLElement>('[data-not-found]');
  const show = (content: ReactNode) => {
    if (notFound) notFound.hidden = content !== null;
    root.render(content);
  };
  show(<Spinner label={postText.loading} />);
  try {
    const post = await findPost(slug);
    if (post) {
      // Loaded on demand, because the sanitiser is larger than the rest of the page.
      const { sanitise } = await import('#blog/content/sanitise.ts');
      document.title = document.title.replace(/^.*( · )/, () => `${post.title} · `);
      show(<Unpublished post={post} user={user} html={presentable(sanitise(post.content))} />);
      return true;
    }
    show(null);
    root.unmount();
    return false;
  } catch (error) {
    show(<ViewError message={viewMessage(error)} />);
    return true;
  }
}

/** Moves h1 to h5 down one level if the text has an h1, because the title is the page's only h1. */
function presentable(html: string): string {
  if (!html.includes('<h1>')) return html;
  return html.replace(/<(\/?)h([1-5])>/g, (_, slash, level) => `<${slash}h${Number(level) + 1}>`);
}

function ViewError({ message }: { message: string }) {
  return (
    <div role="alert" className="mx-auto max-w-wide px-4 py-24 text-center">
      <h1 className="mb-6 text-xl">{errorLine(message)}</h1>
      <ButtonLink tone="quiet" href="/">
        {postText.backHome}
      </ButtonLink>
    </div>
  );
}

function Unpublished({ post, user, html }: { post: Post; user: User; html: string }) {
  const chosen = chosenLanguage(post.language);
  return (
    <article className="site-width">
      {post.status === 'inactive' && (
        <p className="mt-4 flex flex-wrap items-baseline gap-x-3 rounded-md bg-well px-4 py-3 text-base sm:mt-8">
          <strong className="font-semibold">{unpublishedText.notPublished}</strong>
          <span className="text-soft">{unpublishedText.notPublishedHelp[isPage(post) ? 'page' : 'post']}</span>
        </p>
      )}
      <div className="mx-auto max-w-measure pt-4 font-serif text-read sm:pt-10">
        {post.featuredImage && (
          <PostPicture site={currentSite()} fileId={post.featuredImage} alt={post.featuredImageAlt} />
        )}
        <header className={`pb-8 sm:pb-10 ${post.featuredImage ? 'pt-6 sm:pt-8' : ''}`}>
          <h1 className="text-4xl wrap-anywhere" dir="auto">
            {post.title}
          </h1>
          <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 font-sans">
            {hasByline(post) && (
              <Byline
                author={post.userId === user.id ? user.name : undefined}
                iso={post.createdAt}
                zone={currentSite().timeZone}
                {...(!post.featuredImage && !isPage(post) && { note: postText.noImage })}
                className="text-sm"
              />
            )}
            <PostActions slug={post.id} userId={post.userId} />
          </div>
        </header>
        <div
          className="prose"
          lang={chosen?.code}
          dir={chosen?.isRightToLeft ? 'rtl' : undefined}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: `html` went through blog/content/sanitise.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </div>
    </article>
  );
}
