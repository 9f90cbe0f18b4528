/** Responses for feeds and sitemaps, which the page store keeps like pages. */
import type { APIContext } from 'astro';
import { BackendUnavailable } from '#backend/server.ts';
import { authorTag, POSTS, postTag } from '#blog/routes/tags.ts';
import { FEED_POSTS, FEEDS, type Feed, type FeedPath, feedOf } from '#blog/seo/feed.ts';
import { authorNames } from './_list.ts';

interface Kept {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly maxAge: number;
  readonly tags: string[];
}

/**
 * Caches the text of `make` until a write names one of its tags. Returns 404 for undefined, and 503 if the backend
 * fails.
 */
export async function kept(
  { cache, rewrite }: APIContext,
  type: string,
  make: () => Promise<Kept | undefined>,
): Promise<Response> {
  try {
    const made = await make();
    if (!made) return await rewrite('/404');
    cache?.set({ maxAge: made.maxAge, tags: made.tags });
    return new Response(made.body, { headers: { 'content-type': type } });
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    console.error(error.message);
    return new Response(`${error.message}\n`, {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '10', 'cache-control': 'no-store' },
    });
  }
}

/** Returns the feed at `path`, formatted by `write`. */
export function feedAnswer(context: APIContext, path: FeedPath, write: (feed: Feed) => string): Promise<Response> {
  const { reader, site, publishing, feedTexts } = context.locals;
  const type = FEEDS.find((feed) => feed.path === path)?.type;
  return kept(context, `${type}; charset=utf-8`, async () => {
    const { posts } = await reader.summaries(1, FEED_POSTS);
    const { authors, maxAge } = await authorNames(
      reader,
      posts.map(({ userId }) => userId),
    );
    return {
      body: write(await feedOf(site, path, posts, feedTexts, authors, publishing?.webSubHub)),
      maxAge,
      tags: [POSTS, ...posts.map(({ id }) => postTag(id)), ...[...authors.keys()].map(authorTag)],
    };
  });
}
