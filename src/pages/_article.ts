import { chosenLanguage } from '#blog/content/code/languages.ts';
import type { RenderedContent } from '#blog/content/render.ts';
import type { Post, PostSummary } from '#blog/post.ts';
import { authorNames } from './_list.ts';

export interface ArticleOf {
  readonly post: Post;
  readonly author: string | undefined;
  /** Seconds; less if the author's name could not be read. */
  readonly maxAge: number;
  readonly adjacent: { readonly previous?: PostSummary; readonly next?: PostSummary };
  readonly content: RenderedContent;
  /** Falls back to the site's for a text without words. */
  readonly description: string;
}

/** Pass `adjacent` if the backend cannot know the neighbours yet. @throws BackendUnavailable */
export async function articleOf(
  { reader, site, textTasks }: Pick<App.Locals, 'reader' | 'site' | 'textTasks'>,
  post: Post,
  adjacent: Promise<ArticleOf['adjacent']> = reader.adjacentPosts(post.id),
): Promise<ArticleOf> {
  const [{ authors, maxAge }, adjacentPosts, content] = await Promise.all([
    authorNames(reader, [post.userId]),
    adjacent,
    textTasks.render(post.content, site.url),
  ]);
  const description = post.excerpt || content.description || site.tagline;
  return {
    post,
    author: authors.get(post.userId),
    maxAge,
    adjacent: adjacentPosts,
    content: { ...content, language: chosenLanguage(post.language) ?? content.language },
    description,
  };
}
