/** Groups posts by year and month in the site's time zone, which the dates on pages use too. */

import type { PublicReader } from '#backend/server.ts';
import { isoDay, yearOf } from '#blog/dates.ts';
import { language } from '#blog/messages/language.ts';
import { TITLES_PER_PAGE } from '#blog/routes/table.ts';
import { POSTS, TAG_COUNTS } from '#blog/routes/tags.ts';
import { momentsOf } from '#blog/schedule/zoned-time.ts';
import { type Tag, tagsOf } from '#blog/tags/tags.ts';
import { ONE_YEAR, pageOf, postTags } from './_lists.ts';

const NAMED = 10;

export async function loadArchive(reader: PublicReader, zone?: string) {
  const all = await reader.everyPost();
  const byYear = Map.groupBy(all, ({ createdAt }) => yearOf(createdAt, zone));
  const years = Array.from(byYear, ([year, posts]) => ({ year, posts: posts.length, latest: posts.slice(0, NAMED) }));
  // The page shows the number of posts in each year, so every new or removed post changes it.
  const cache = { maxAge: ONE_YEAR, tags: [POSTS, TAG_COUNTS, ...years.flatMap(({ latest }) => postTags(latest))] };
  return { years, tags: tagsOf(all, language()), cache };
}

export const loadTags = async (reader: PublicReader): Promise<Tag[]> => tagsOf(await reader.everyPost(), language());

export async function loadYear(reader: PublicReader, year: number, page: number, zone?: string) {
  const begin = (of: number) => {
    const [moment = Date.UTC(of, 0)] = (zone && momentsOf(`${of}-01-01T00:00`, zone)?.moments) || [];
    return new Date(moment).toISOString();
  };
  const found = pageOf(await reader.everyPost({ from: begin(year), until: begin(year + 1) }), page, TITLES_PER_PAGE);
  if (!found) return undefined;
  const byMonth = Map.groupBy(found.posts, ({ createdAt }) => `${isoDay(new Date(createdAt), zone).slice(0, 7)}-01`);
  /** `first` is the ISO date of the month's first day. */
  const months = Array.from(byMonth, ([first, posts]) => ({ begin: first, posts }));
  return { ...found, year, months, cache: { maxAge: ONE_YEAR, tags: [POSTS, ...postTags(found.posts)] } };
}
