/** All that the page of one post shows, for the page itself and for its preview. */
import type { PublicReader } from '#backend/server.ts';
import { type RenderedContent, renderContent } from '#blog/content/render.ts';
import { excerpt, textOfSanitised } from '#blog/content/text.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import type { Site } from '#blog/site.ts';
import { authorNames } from './_list.ts';

export interface ArticleOf {
  readonly post: Post;
  readonly author: string | undefined;
  /** False when the author's name could not be had just now. */
  readonly complete: boolean;
  readonly neighbours: { readonly previous?: PostSummary; readonly next?: PostSummary };
  readonly content: RenderedContent;
  /** In at most 160 characters. */
  readonly description: string;
}

/** `neighbours`: the posts beside it, where the backend cannot say them yet. Throws `BackendUnavailable`. */
export async function articleOf(
  reader: PublicReader,
  site: Site,
  post: Post,
  neighbours: Promise<ArticleOf['neighbours']> = reader.neighbours(post.id),
): Promise<ArticleOf> {
  const [{ authors, complete }, beside, content] = await Promise.all([
    authorNames(reader, [post.userId]),
    neighbours,
    renderContent(post.content, { siteUrl: site.url }),
  ]);
  const description = excerpt(content.sanitised, 160, textOfSanitised) || site.tagline;
  return { post, author: authors.get(post.userId), complete, neighbours: beside, content, description };
}
