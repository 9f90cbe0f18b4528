import type { PublicReader } from '#backend/server.ts';
import { faultOf } from '#blog/errors.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { authorTag, POSTS, postTag, TAG_LISTS, tagTag } from '#blog/routes/tags.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { nameOfTag } from '#blog/tags/tags.ts';

/** Length in characters of the excerpt shown with a list's first post. */
const LEAD_WORDS = 220;
/** Lifetime in seconds of a stored page that stays valid until a write invalidates one of its tags. */
export const ONE_YEAR = 31_536_000;
/** Lifetime in seconds of a page that lacks an author's name or an exact number of posts. */
const ONE_MINUTE = 60;

/** Returns the n-th page of the list of all posts. @throws DomainError if the posts cannot be read */
export async function loadList(
  { reader, site, textTasks }: Pick<App.Locals, 'reader' | 'site' | 'textTasks'>,
  page: number,
) {
  const [found, newest] = await Promise.all([
    reader.summaries(page, site.perPage ?? PER_PAGE),
    page === 1 ? reader.newest() : undefined,
  ]);
  const [lead] = found.posts;
  const leading = page === 1 && lead ? (newest?.id === lead.id ? newest : await reader.post(lead.id)) : undefined;
  const { authors, maxAge } = await authorNames(reader, found.posts);
  return {
    ...found,
    page,
    leadWords: leading ? leading.excerpt || (await textTasks.excerpt(leading.content, LEAD_WORDS)) : '',
    authors,
    cache: {
      maxAge: found.exact ? maxAge : Math.min(maxAge, ONE_MINUTE),
      tags: [POSTS, ...postTags(found.posts), ...authorTags(authors)],
    },
  };
}

/** Returns a page of an author's posts. Reads all of them, so that the count leaves out posts with a forged author. */
export async function loadAuthor(reader: PublicReader, id: string, page: number | undefined, perPage = PER_PAGE) {
  if (!page || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/.test(id)) return undefined;
  const found = pageOf(await reader.everyPost({ userId: id }), page, perPage);
  if (!found) return undefined;
  const { authors, maxAge } = await authorNames(reader, [{ userId: id }]);
  const cache = { maxAge, tags: [POSTS, authorTag(id), ...postTags(found.posts)] };
  return { ...found, id, name: authors.get(id) ?? '', cache };
}

export async function loadTag(reader: PublicReader, slug: string, page: number | undefined, perPage = PER_PAGE) {
  if (!page || !isSlug(slug)) return undefined;
  const all = await reader.everyPost({ tag: slug });
  const found = pageOf(all, page, perPage);
  if (!found) return undefined;
  const { authors, maxAge } = await authorNames(reader, found.posts);
  // Leaves out the cache tag `POSTS`, because changes to posts that lack the tag `slug` do not affect this page.
  const cache = { maxAge, tags: [tagTag(slug), TAG_LISTS, ...postTags(found.posts), ...authorTags(authors)] };
  return { ...found, slug, name: nameOfTag(all, slug), authors, cache };
}

export function pageOf(all: readonly PostSummary[], page: number, perPage = PER_PAGE) {
  const posts = all.slice((page - 1) * perPage, page * perPage);
  return posts.length > 0 && { posts, total: all.length, page, pages: Math.ceil(all.length / perPage) };
}

export const postTags = (posts: readonly PostSummary[]): string[] => posts.map(({ id }) => postTag(id));

export const authorTags = (authors: ReadonlyMap<string, string>): string[] => [...authors.keys()].map(authorTag);

/** Returns names by user id and `maxAge` in seconds: short if a name cannot be read, 0 if the server key is refused. */
export async function authorNames(reader: PublicReader, posts: readonly Pick<PostSummary, 'userId'>[]) {
  let maxAge = ONE_YEAR;
  const ids = new Set(posts.map(({ userId }) => userId));
  const names = Array.from(ids, async (id) => {
    const name = await reader.authorName(id).catch((error: Error) => {
      maxAge = Math.min(maxAge, faultOf(error.cause).code === 401 ? 0 : ONE_MINUTE);
      return '';
    });
    return [id, name] as const;
  });
  const authors: ReadonlyMap<string, string> = new Map(await Promise.all(names));
  return { authors, maxAge };
}

/** Returns 1 if `rest` is empty, n for `page/n` with n ≥ 2, and undefined for anything else. */
export function pageNumberOf(rest: string | undefined): number | undefined {
  if (!rest) return 1;
  const [, n] = /^page\/([1-9][0-9]{0,5})$/.exec(rest) ?? [];
  return n === undefined || n === '1' ? undefined : Number(n);
}
