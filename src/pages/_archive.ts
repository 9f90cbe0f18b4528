/** Years and months are in UTC, like the dates on pages. */

import type { PublicReader } from '#backend/server.ts';
import { language } from '#blog/messages/language.ts';
import { TITLES_PER_PAGE } from '#blog/routes/table.ts';
import { POSTS, TAG_COUNTS } from '#blog/routes/tags.ts';
import { type Tag, tagsOf } from '#blog/tags/tags.ts';
import { ONE_YEAR, pageOf, postTags } from './_lists.ts';

const NAMED = 10;

export async function loadArchive(reader: PublicReader) {
  const all = await reader.everyPost();
  const byYear = Map.groupBy(all, ({ createdAt }) => new Date(createdAt).getUTCFullYear());
  const years = Array.from(byYear, ([year, posts]) => ({ year, posts: posts.length, latest: posts.slice(0, NAMED) }));
  // The page counts the posts of each year, so every new or removed post changes it.
  const cache = { maxAge: ONE_YEAR, tags: [POSTS, TAG_COUNTS, ...years.flatMap(({ latest }) => postTags(latest))] };
  return { years, tags: tagsOf(all, language()), cache };
}

export const loadTags = async (reader: PublicReader): Promise<Tag[]> => tagsOf(await reader.everyPost(), language());

export async function loadYear(reader: PublicReader, year: number, page: number) {
  const begin = (of: number) => new Date(Date.UTC(of, 0)).toISOString();
  const found = pageOf(await reader.everyPost({ from: begin(year), until: begin(year + 1) }), page, TITLES_PER_PAGE);
  if (!found) return undefined;
  const byMonth = Map.groupBy(found.posts, ({ createdAt }) => `${new Date(createdAt).toISOString().slice(0, 7)}-01`);
  /** `first` is the ISO date of the month's first day. */
  const months = Array.from(byMonth, ([first, posts]) => ({ begin: first, posts }));
  return { ...found, year, months, cache: { maxAge: ONE_YEAR, tags: [POSTS, ...postTags(found.posts)] } };
}
