import type { PublicReader } from '#backend/server.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { authorTag, postTag, TAG_LISTS, tagTag } from '#blog/routes/tags.ts';
import { isSlug } from '#blog/slug-rules.ts';
import { nameOfTag } from '#blog/tags/tags.ts';
import { authorNames } from './_list.ts';

export interface TagPage {
  readonly slug: string;
  readonly name: string;
  readonly posts: readonly PostSummary[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  /** Authors' names by id; empty if unknown. */
  readonly authors: ReadonlyMap<string, string>;
  readonly cache: { maxAge: number; tags: string[] };
}

/** Returns the n-th page of the posts with a tag, newest first; undefined if there is none. */
export async function loadTag(
  reader: PublicReader,
  slug: string,
  page: number,
  perPage = PER_PAGE,
): Promise<TagPage | undefined> {
  if (!isSlug(slug)) return undefined;
  const all = await reader.everyPost({ tag: slug });
  const posts = all.slice((page - 1) * perPage, page * perPage);
  if (posts.length === 0) return undefined;
  const { authors, maxAge } = await authorNames(
    reader,
    posts.map(({ userId }) => userId),
  );
  return {
    slug,
    name: nameOfTag(all, slug),
    posts,
    total: all.length,
    page,
    pages: Math.ceil(all.length / perPage),
    authors,
    cache: {
      maxAge,
      // Leaves out the tag of all lists, because posts with other tags do not change this page.
      tags: [tagTag(slug), TAG_LISTS, ...posts.map(({ id }) => postTag(id)), ...[...authors.keys()].map(authorTag)],
    },
  };
}
