/** Years and months are in UTC, like the dates on pages. */

import type { PublicReader } from '#backend/server.ts';
import { language } from '#blog/messages/language.ts';
import type { PostSummary } from '#blog/post.ts';
import { TITLES_PER_PAGE } from '#blog/routes/table.ts';
import { POSTS, postTag, TAG_COUNTS } from '#blog/routes/tags.ts';
import { type Tag, tagsOf } from '#blog/tags/tags.ts';
import { ONE_YEAR } from './_list.ts';

/** The page counts the posts of each year, so every new or removed post changes it. */
export const yearsCache = (years: readonly Year[]) => ({
  maxAge: ONE_YEAR,
  tags: [POSTS, TAG_COUNTS, ...years.flatMap(({ latest }) => latest.map(({ id }) => postTag(id)))],
});

export const yearCache = ({ months }: YearPage) => ({
  maxAge: ONE_YEAR,
  tags: [POSTS, ...months.flatMap(({ posts }) => posts.map(({ id }) => postTag(id)))],
});

export interface Year {
  readonly year: number;
  readonly posts: number;
  readonly latest: readonly PostSummary[];
}

const NAMED = 10;

/** Returns the years with published posts, latest first. */
export async function loadYears(reader: PublicReader): Promise<Year[]> {
  const byYear = Map.groupBy(await reader.everyPost(), ({ createdAt }) => new Date(createdAt).getUTCFullYear());
  return Array.from(byYear, ([year, posts]) => ({ year, posts: posts.length, latest: posts.slice(0, NAMED) }));
}

/** Returns every tag, sorted by name. */
export const loadTags = async (reader: PublicReader): Promise<Tag[]> => tagsOf(await reader.everyPost(), language());

export interface Month {
  /** ISO date of its first day. */
  readonly begin: string;
  readonly posts: readonly PostSummary[];
}

export interface YearPage {
  readonly year: number;
  readonly total: number;
  readonly months: readonly Month[];
  readonly page: number;
  readonly pages: number;
}

/** Returns the n-th page of a year's posts; undefined if there is none. */
export async function loadYear(reader: PublicReader, year: number, page: number): Promise<YearPage | undefined> {
  const begin = (of: number) => new Date(Date.UTC(of, 0)).toISOString();
  const all = await reader.everyPost({ from: begin(year), until: begin(year + 1) });
  const posts = all.slice((page - 1) * TITLES_PER_PAGE, page * TITLES_PER_PAGE);
  if (posts.length === 0) return undefined;
  const months = Map.groupBy(posts, ({ createdAt }) => `${new Date(createdAt).toISOString().slice(0, 7)}-01`);
  return {
    year,
    total: all.length,
    months: Array.from(months, ([first, inMonth]) => ({ begin: first, posts: inMonth })),
    page,
    pages: Math.ceil(all.length / TITLES_PER_PAGE),
  };
}
