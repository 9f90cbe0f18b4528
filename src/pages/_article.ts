import type { AdjacentPosts } from '#backend/server.ts';
import { chosenLanguage } from '#blog/content/code/languages.ts';
import type { Post } from '#blog/post.ts';
import { authorNames } from './_lists.ts';

/** Pass `adjacent` if the backend cannot know the neighbours yet; `maxAge` is in seconds. @throws DomainError */
export async function articleOf(
  { reader, site, textTasks }: Pick<App.Locals, 'reader' | 'site' | 'textTasks'>,
  post: Post,
  adjacent: Promise<AdjacentPosts> = reader.adjacentPosts(post.id),
) {
  const [{ authors, maxAge }, adjacentPosts, content] = await Promise.all([
    authorNames(reader, [post]),
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
