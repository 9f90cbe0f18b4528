import { describe, expect, it } from 'vitest';
import type { PublicReader } from '#backend/server.ts';
import type { PostSummary } from '#blog/post.ts';
import { PER_PAGE, TITLES_PER_PAGE } from '#blog/routes/table.ts';
import { loadYear, loadYears, yearCache } from './_archive.ts';
import { loadAuthor } from './_author.ts';
import { pageNumberOf } from './_list.ts';

const posts = (count: number, createdAt = '2026-03-01T00:00:00.000+00:00') =>
  Array.from({ length: count }, (_, i) => ({ id: `p${i}`, userId: 'Ann', createdAt }) as PostSummary);

function reader(all: PostSummary[]) {
  const asked: unknown[] = [];
  const everyPost: PublicReader['everyPost'] = async (among) => {
    asked.push(among);
    return all;
  };
  return { asked, source: { everyPost, authorName: async () => 'Ann Smith' } as unknown as PublicReader };
}

describe('an author’s page', () => {
  it('shows 24 posts and says how many there are', async () => {
    const { asked, source } = reader(posts(PER_PAGE + 1));
    expect(await loadAuthor(source, 'Ann', 1)).toMatchObject({ name: 'Ann Smith', total: PER_PAGE + 1, pages: 2 });
    const second = await loadAuthor(source, 'Ann', 2);
    expect(second?.posts.map(({ id }) => id)).toEqual([`p${PER_PAGE}`]);
    expect(second?.cache.tags).toEqual(['posts', 'author:Ann', `post:p${PER_PAGE}`]);
    expect(asked[0]).toEqual({ userId: 'Ann' });
  });

  it('is not there beyond the last page, without a post, or for what is no id', async () => {
    expect(await loadAuthor(reader(posts(PER_PAGE)).source, 'Ann', 2)).toBeUndefined();
    expect(await loadAuthor(reader([]).source, 'Ann', 1)).toBeUndefined();
    const { asked, source } = reader(posts(1));
    for (const id of ['', '-x', 'a b', 'x'.repeat(37)]) expect(await loadAuthor(source, id, 1)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('the archive', () => {
  it('counts the posts of each year and names the last ten', async () => {
    const all = [...posts(11), ...posts(1, '2024-12-31T23:59:59.999+00:00')];
    expect(await loadYears(reader(all).source)).toEqual([
      { year: 2026, posts: 11, latest: all.slice(0, 10) },
      { year: 2024, posts: 1, latest: all.slice(11) },
    ]);
  });

  it('shows a year by months, 200 titles at a time', async () => {
    const { asked, source } = reader([...posts(TITLES_PER_PAGE), ...posts(1, '2026-01-05T00:00:00.000+00:00')]);
    const first = await loadYear(source, 2026, 1);
    expect(asked).toEqual([{ from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' }]);
    expect(first?.months.map(({ begin }) => begin)).toEqual(['2026-03-01']);
    expect((await loadYear(source, 2026, 2))?.months.map(({ begin }) => begin)).toEqual(['2026-01-01']);
    expect(await loadYear(source, 2026, 3)).toBeUndefined();
  });

  it('a page of a year names the tags of its posts', async () => {
    const page = await loadYear(reader([...posts(2), ...posts(1, '2026-01-05T00:00:00.000+00:00')]).source, 2026, 1);
    expect(page && yearCache(page).tags).toEqual(['posts', 'post:p0', 'post:p1', 'post:p0']);
  });
});

it('the rest of a list’s address is a page from the second on', () => {
  expect([undefined, 'page/2', 'page/1', 'page/0', 'page/x', '2', 'page/2/3'].map(pageNumberOf)).toEqual([
    1,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
