/** Shows an inactive post to its author, on the page that is "not found" for other readers. */

import { chosenLanguage } from '#blog/content/code/languages.ts';
import { unpublishedText } from '#blog/messages/unpublished.ts';
import { postText } from '#blog/messages.ts';
import type { Post } from '#blog/post.ts';
import type { User } from '#blog/user.ts';
import { Byline } from '#components/article/Byline.tsx';
import { PostPicture } from '#components/article/PostPicture.tsx';
import { currentSite } from '#stores/site.ts';
import { PostActions } from '../post-actions/PostActions.tsx';

interface UnpublishedProps {
  readonly post: Post;
  readonly user: User;
  /** Sanitised HTML. */
  readonly html: string;
}

export function Unpublished({ post, user, html }: UnpublishedProps) {
  const chosen = chosenLanguage(post.language);
  return (
    <article className="site-width">
      {post.status === 'inactive' && (
        <p className="mt-4 flex flex-wrap items-baseline gap-x-3 rounded-md bg-well px-4 py-3 text-base sm:mt-8">
          <strong className="font-semibold">{unpublishedText.notPublished}</strong>
          <span className="text-soft">{unpublishedText.notPublishedHelp}</span>
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
            <Byline
              author={post.userId === user.id ? user.name : undefined}
              iso={post.createdAt}
              {...(!post.featuredImage && { note: postText.noImage })}
              className="text-sm"
            />
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
