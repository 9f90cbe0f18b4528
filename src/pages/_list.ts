/** What a list page shows: a page of posts, and who wrote them. */

import type { PostPage, PublicReader } from '#backend/server.ts';
import { faultOf } from '#blog/errors.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { authorTag, POSTS, postTag } from '#blog/routes/tags.ts';

/** Characters of the first post that lead the first page. */
const LEAD_WORDS = 220;
/** A stored page is valid until a write names one of its tags. */
export const ONE_YEAR = 31_536_000;
/** A page that could not learn a name, or how many posts there are, is asked again soon. */
export const ONE_MINUTE = 60;

export interface List extends PostPage<PostSummary> {
  readonly page: number;
  /** The first words of the first post, which leads the first page. */
  readonly leadWords: string;
  /** Authors' names by their ids; empty where unknown. */
  readonly authors: ReadonlyMap<string, string>;
  /** For `Astro.cache.set`. */
  readonly cache: { maxAge: number; tags: string[] };
}

/** The n-th list page. Throws `BackendUnavailable` when the posts cannot be had. */
export async function loadList(
  { reader, textTasks }: Pick<App.Locals, 'reader' | 'textTasks'>,
  page: number,
): Promise<List> {
  const [found, newest] = await Promise.all([
    reader.summaries(page, PER_PAGE),
    page === 1 ? reader.newest() : undefined,
  ]);
  const [lead] = found.posts;
  const leading = page === 1 && lead ? (newest?.id === lead.id ? newest : await reader.post(lead.id)) : undefined;
  const { authors, maxAge } = await authorNames(
    reader,
    found.posts.map(({ userId }) => userId),
  );
  return {
    ...found,
    page,
    leadWords: leading ? leading.excerpt || (await textTasks.excerpt(leading.content, LEAD_WORDS)) : '',
    authors,
    cache: {
      maxAge: found.exact ? maxAge : Math.min(maxAge, ONE_MINUTE),
      tags: [POSTS, ...found.posts.map(({ id }) => postTag(id)), ...[...authors.keys()].map(authorTag)],
    },
  };
}

/**
 * A name that cannot be had must not take the words away: the page shows none, and is not kept for long; not at all where
 * the server key is refused, which lasts until the operator mends it. `maxAge`: for the page, in seconds.
 */
export async function authorNames(
  reader: PublicReader,
  ids: readonly string[],
): Promise<{ authors: Map<string, string>; maxAge: number }> {
  let maxAge = ONE_YEAR;
  const names = [...new Set(ids)].map(async (id) => {
    const name = await reader.authorName(id).catch((error: Error) => {
      maxAge = Math.min(maxAge, faultOf(error.cause).code === 401 ? 0 : ONE_MINUTE);
      return '';
    });
    return [id, name] as const;
  });
  return { authors: new Map(await Promise.all(names)), maxAge };
}

/** The page that the rest of a list's address names: 1 without one, n for `page/n` from 2 on; else undefined. */
export function pageNumberOf(rest: string | undefined): number | undefined {
  if (!rest) return 1;
  const [, n] = /^page\/([1-9][0-9]{0,5})$/.exec(rest) ?? [];
  return n === undefined || n === '1' ? undefined : Number(n);
}
