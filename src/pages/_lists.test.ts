import { expect, it } from 'vitest';
import type { PublicReader } from '#backend/server.ts';
import { textTasks } from '#blog/content/text-tasks.ts';
import type { Post } from '#blog/post.ts';
import { PER_PAGE, TITLES_PER_PAGE } from '#blog/routes/table.ts';
import { loadArchive, loadYear } from './_archive.ts';
import { loadAuthor, loadList, ONE_YEAR, pageNumberOf } from './_lists.ts';

const posts = (count: number, createdAt = '2026-03-01T00:00:00.000+00:00') =>
  Array.from(
    { length: count },
    (_, i) => ({ id: `p${i}`, userId: i % 2 ? 'bob' : 'ann', content: '', createdAt }) as Post,
  );

/** Returns a fake reader of these posts, and the arguments of the calls to it. */
function readerOf(all: Post[], given: Partial<PublicReader> = {}) {
  const asked: unknown[] = [];
  const answer =
    <T>(value: T) =>
    async (...question: unknown[]) => {
      asked.push(...question);
      return value;
    };
  const reader = {
    everyPost: answer(all),
    summaries: answer({ posts: all, total: all.length, pages: 1, exact: true }),
    newest: async () => all[0],
    authorName: async (id: string) => `Name of ${id}`,
    ...given,
  } as unknown as PublicReader;
  return { asked, reader, textTasks, site: {} as App.Locals['site'] };
}

it('a list names the tags of its posts and authors, and is kept until one of them changes', async () => {
  const source = readerOf(posts(3));
  const list = await loadList(source, 2);
  expect(source.asked).toEqual([2, PER_PAGE]);
  expect(list.authors.get('bob')).toBe('Name of bob');
  const tags = ['posts', 'post:p0', 'post:p1', 'post:p2', 'author:ann', 'author:bob'];
  expect(list.cache).toEqual({ maxAge: ONE_YEAR, tags });
});

it('a list whose names or count are not certain keeps its posts, and is asked again soon', async () => {
  const authorName: PublicReader['authorName'] = async (id) => {
    if (id === 'bob') throw new Error('no answer');
    return 'Ada';
  };
  const nameless = await loadList(readerOf(posts(2), { authorName }), 1);
  expect(Object.fromEntries(nameless.authors)).toEqual({ ann: 'Ada', bob: '' });
  const summaries: PublicReader['summaries'] = async () => ({ posts: [], total: 9000, pages: 375, exact: false });
  const uncounted = await loadList(readerOf([], { summaries }), 2);
  for (const { cache } of [nameless, uncounted]) expect(cache.maxAge).toBeLessThanOrEqual(60);
});

it('a list begins with the first words of its first post, also when the newest is not to be shown', async () => {
  const first = { ...(posts(1)[0] as Post), content: '<p>First</p>' };
  const hidden = { newest: async () => undefined, post: async () => first };
  for (const given of [{}, hidden]) expect((await loadList(readerOf([first], given), 1)).leadWords).toBe('First');
});

it('an author’s page shows 24 posts and says how many there are', async () => {
  const { asked, reader } = readerOf(posts(PER_PAGE + 1));
  expect(await loadAuthor(reader, 'ann', 1)).toMatchObject({ name: 'Name of ann', total: PER_PAGE + 1, pages: 2 });
  const second = await loadAuthor(reader, 'ann', 2);
  expect(second?.posts.map(({ id }) => id)).toEqual([`p${PER_PAGE}`]);
  expect(second?.cache.tags).toEqual(['posts', 'author:ann', `post:p${PER_PAGE}`]);
  expect(asked[0]).toEqual({ userId: 'ann' });
});

it('an author’s page is not there beyond the last page, without a post, or for what is no id', async () => {
  expect(await loadAuthor(readerOf(posts(PER_PAGE)).reader, 'ann', 2)).toBeUndefined();
  expect(await loadAuthor(readerOf([]).reader, 'ann', 1)).toBeUndefined();
  const { asked, reader } = readerOf(posts(1));
  for (const id of ['', '-x', 'a b', 'x'.repeat(37)]) expect(await loadAuthor(reader, id, 1)).toBeUndefined();
  expect(asked).toEqual([]);
});

it('the archive counts the posts of each year and names the last ten', async () => {
  const all = [...posts(11), ...posts(1, '2024-12-31T23:59:59.999+00:00')];
  expect((await loadArchive(readerOf(all).reader)).years).toEqual([
    { year: 2026, posts: 11, latest: all.slice(0, 10) },
    { year: 2024, posts: 1, latest: all.slice(11) },
  ]);
});

it('the archive shows a year by months, 200 titles at a time, with the tags of their posts', async () => {
  const { asked, reader } = readerOf([...posts(TITLES_PER_PAGE), ...posts(1, '2026-01-05T00:00:00.000+00:00')]);
  const first = await loadYear(reader, 2026, 1);
  expect(asked).toEqual([{ from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' }]);
  expect(first?.months.map(({ begin }) => begin)).toEqual(['2026-03-01']);
  const second = await loadYear(reader, 2026, 2);
  expect(second?.months.map(({ begin }) => begin)).toEqual(['2026-01-01']);
  expect(second?.cache.tags).toEqual(['posts', 'post:p0']);
  expect(await loadYear(reader, 2026, 3)).toBeUndefined();
});

it('the rest of a list’s address is a page from the second on', () => {
  expect([undefined, 'page/2'].map(pageNumberOf)).toEqual([1, 2]);
  for (const rest of ['page/1', 'page/0', 'page/x', '2', 'page/2/3']) expect(pageNumberOf(rest)).toBeUndefined();
});

it('the owner’s number of posts and time zone decide what lists show', async () => {
  const source = { ...readerOf(posts(3)), site: { perPage: 6, timeZone: 'Pacific/Kiritimati' } as App.Locals['site'] };
  await loadList(source, 2);
  expect(source.asked).toEqual([2, 6]);
  expect(await loadAuthor(readerOf(posts(13)).reader, 'ann', 3, 6)).toMatchObject({ pages: 3, total: 13 });
  // In this zone (UTC+14), the new year begins at 10:00 UTC on 31 December.
  const [before, after] = ['2025-12-31T09:59:59.999+00:00', '2025-12-31T10:00:00.000+00:00'];
  const all = [...posts(1, after), ...posts(1, before)];
  const { years } = await loadArchive(readerOf(all).reader, 'Pacific/Kiritimati');
  expect(years.map(({ year }) => year)).toEqual([2026, 2025]);
  expect((await loadArchive(readerOf(all).reader)).years).toHaveLength(1);
  const { asked, reader } = readerOf(posts(1, after));
  const found = await loadYear(reader, 2026, 1, 'Pacific/Kiritimati');
  expect(asked).toEqual([{ from: '2025-12-31T10:00:00.000Z', until: '2026-12-31T10:00:00.000Z' }]);
  expect(found?.months.map(({ begin }) => begin)).toEqual(['2026-01-01']);
});
