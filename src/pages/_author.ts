import type { PublicReader } from '#backend/server.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { authorTag, POSTS, postTag } from '#blog/routes/tags.ts';
import { authorNames } from './_list.ts';

export interface AuthorPage {
  readonly id: string;
  readonly name: string;
  readonly posts: readonly PostSummary[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly cache: { maxAge: number; tags: string[] };
}

/**
 * Returns the n-th page of an author's posts; undefined if there is none, as for authors without published posts. Reads
 * all posts, because posts forged in the author's name must not push real ones off a page.
 */
export async function loadAuthor(reader: PublicReader, id: string, page: number): Promise<AuthorPage | undefined> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/.test(id)) return undefined;
  const all = await reader.everyPost({ userId: id });
  const posts = all.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  if (posts.length === 0) return undefined;
  const { authors, maxAge } = await authorNames(reader, [id]);
  return {
    id,
    name: authors.get(id) ?? '',
    posts,
    total: all.length,
    page,
    pages: Math.ceil(all.length / PER_PAGE),
    cache: {
      maxAge,
      tags: [POSTS, authorTag(id), ...posts.map((post) => postTag(post.id))],
    },
  };
}
