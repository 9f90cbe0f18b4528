/** All that the page of one post shows, for the page itself and for its preview. */
import type { RenderedContent } from '#blog/content/render.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { authorNames } from './_list.ts';

export interface ArticleOf {
  readonly post: Post;
  readonly author: string | undefined;
  /** False when the author's name could not be had just now. */
  readonly complete: boolean;
  readonly neighbours: { readonly previous?: PostSummary; readonly next?: PostSummary };
  readonly content: RenderedContent;
  /** The text's, or the site's for a text without words. */
  readonly description: string;
}

/** `neighbours`: the posts beside it, where the backend cannot say them yet. Throws `BackendUnavailable`. */
export async function articleOf(
  { reader, site, textTasks }: Pick<App.Locals, 'reader' | 'site' | 'textTasks'>,
  post: Post,
  neighbours: Promise<ArticleOf['neighbours']> = reader.neighbours(post.id),
): Promise<ArticleOf> {
  const [{ authors, complete }, beside, content] = await Promise.all([
    authorNames(reader, [post.userId]),
    neighbours,
    textTasks.render(post.content, site.url),
  ]);
  const description = content.description || site.tagline;
  return { post, author: authors.get(post.userId), complete, neighbours: beside, content, description };
}
