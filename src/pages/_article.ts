import type { AstroGlobal } from 'astro';
import type { AdjacentPosts } from '#backend/server.ts';
import { chosenLanguage } from '#blog/content/code/languages.ts';
import { hasByline, isPage, type Post } from '#blog/post.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { authorTag, POSTS, postTag, TAGGED } from '#blog/routes/tags.ts';
import { postData } from '#blog/seo/structured-data.ts';
import { tagSlugs } from '#blog/tags/tag-slug.ts';
import { authorNames, postTags } from './_lists.ts';
import { stored } from './_stored.ts';

type Reading = Pick<App.Locals, 'reader' | 'site' | 'textTasks'>;

/**
 * Loads the post or page with this slug. Returns `answer` with a 404 if it is missing, or with a redirect if its path
 * is not `pathOf(slug)`; returns `message` if the backend failed. The page store does not keep these redirects, because
 * a page may become a post again.
 */
export async function articleAt(
  page: Pick<AstroGlobal, 'cache' | 'locals' | 'redirect' | 'response'>,
  slug: string,
  pathOf: (slug: string) => string,
) {
  let address = '';
  const { found: article, message } = await stored(page, async () => {
    const post = await page.locals.reader.post(slug);
    address = post ? addressOfPost(post) : '';
    return post && address === pathOf(slug) ? publicArticle(page.locals, post) : undefined;
  });
  if (article || message) return { article, message };
  return { article, message, answer: address ? page.redirect(address, 301) : new Response(null, { status: 404 }) };
}

async function publicArticle(locals: Reading, post: Post) {
  const loaded = await articleOf(locals, post);
  const { author, description, content, adjacent, maxAge } = loaded;
  const around = [adjacent.previous, adjacent.next].flatMap((other) => other ?? []);
  const tagged = isPage(post) ? [] : tagSlugs(post.tags).map((tag) => `${TAGGED}${tag}`);
  // The newest post's page will show a link to the next post, so any new post makes that page outdated.
  const list = adjacent.next || isPage(post) ? [] : [POSTS];
  const byline = hasByline(post) ? [authorTag(post.userId)] : [];
  return {
    ...loaded,
    data: postData(locals.site, post, { description, author, words: content.words, language: content.language?.code }),
    cache: { maxAge, tags: [postTag(post.id), ...byline, ...tagged, ...postTags(around), ...list] },
  };
}

/** Renders a post; `maxAge` is in seconds. Previews and drafts pass `adjacent` themselves. @throws DomainError */
export async function articleOf(
  { reader, site, textTasks }: Reading,
  post: Post,
  adjacent: Promise<AdjacentPosts> | AdjacentPosts = isPage(post) ? {} : reader.adjacentPosts(post.id),
) {
  const [{ authors, maxAge }, adjacentPosts, content] = await Promise.all([
    authorNames(reader, hasByline(post) ? [post] : []),
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
