import type { PostPage, PublicReader } from '#backend/server.ts';
import { faultOf } from '#blog/errors.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { authorTag, POSTS, postTag } from '#blog/routes/tags.ts';

/** Characters of the first post's text on the first page. */
const LEAD_WORDS = 220;
/** Seconds. A stored page is valid until a write names one of its tags. */
export const ONE_YEAR = 31_536_000;
/** Seconds. A page without a name or a count is rendered again soon. */
export const ONE_MINUTE = 60;

export interface List extends PostPage<PostSummary> {
  readonly page: number;
  readonly leadWords: string;
  /** Authors' names by id; empty if unknown. */
  readonly authors: ReadonlyMap<string, string>;
  readonly cache: { maxAge: number; tags: string[] };
}

/** Returns the n-th list page. @throws BackendUnavailable if the posts cannot be read */
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
 * Returns names and the page's `maxAge` in seconds. If a name cannot be read, the page shows none and is cached
 * briefly, or not at all if the server key is refused.
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

/**
 * Returns the page number in the rest of a list's address: 1 without one, n for `page/n` with n ≥ 2; undefined for
 * anything else.
 */
export function pageNumberOf(rest: string | undefined): number | undefined {
  if (!rest) return 1;
  const [, n] = /^page\/([1-9][0-9]{0,5})$/.exec(rest) ?? [];
  return n === undefined || n === '1' ? undefined : Number(n);
}
