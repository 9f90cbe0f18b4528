import { expect, it } from 'vitest';
import type { PublicReader } from '#backend/server.ts';
import { textTasks } from '#blog/content/text-tasks.ts';
import type { Post } from '#blog/post.ts';
import { PER_PAGE } from '#blog/routes/table.ts';
import { loadList, ONE_YEAR } from './_list.ts';

const post = (id: string, userId: string): Post => ({
  id,
  userId,
  title: id,
  content: '',
  featuredImage: '',
  status: 'active',
  createdAt: '2026-01-01T00:00:00.000+00:00',
  updatedAt: '2026-01-01T00:00:00.000+00:00',
  permissions: [],
});

const posts = [post('a', 'u1'), post('b', 'u2'), post('c', 'u1')];

function reader(authorName: PublicReader['authorName'], given: Partial<PublicReader> = {}) {
  const asked: unknown[] = [];
  const summaries: PublicReader['summaries'] = async (...question) => {
    asked.push(question);
    return { posts, total: 3, pages: 1, exact: true };
  };
  const newest: PublicReader['newest'] = async () => posts[0];
  return { asked, reader: { summaries, newest, authorName, ...given } as PublicReader };
}

it('a list names the tags of its posts and authors, and is kept until one of them changes', async () => {
  const { asked, reader: source } = reader(async (id) => `Name of ${id}`);
  const list = await loadList({ reader: source, textTasks }, 2);
  expect(asked).toEqual([[2, PER_PAGE]]);
  expect(list.authors.get('u2')).toBe('Name of u2');
  expect(list.cache).toEqual({
    maxAge: ONE_YEAR,
    tags: ['posts', 'post:a', 'post:b', 'post:c', 'author:u1', 'author:u2'],
  });
});

it('a name that cannot be had leaves the posts, and the page is not kept for long', async () => {
  const { reader: source } = reader(async (id) => {
    if (id === 'u2') throw new Error('no answer');
    return 'Ada';
  });
  const list = await loadList({ reader: source, textTasks }, 1);
  expect([...list.authors]).toEqual([
    ['u1', 'Ada'],
    ['u2', ''],
  ]);
  expect(list.cache.maxAge).toBeLessThanOrEqual(60);
});

it('the first page has the first words of its first post, also when the newest is not to be shown', async () => {
  const author = async () => 'Ada';
  const text = { ...(posts[0] as Post), content: '<p>First</p>' };
  const plain = await loadList({ ...reader(author, { newest: async () => text }), textTasks }, 1);
  expect(plain.leadWords).toBe('First');
  const asked = await loadList(
    { ...reader(author, { newest: async () => undefined, post: async () => text }), textTasks },
    1,
  );
  expect(asked.leadWords).toBe('First');
});

it('a page whose count is not certain is asked again soon', async () => {
  const summaries: PublicReader['summaries'] = async () => ({ posts, total: 9000, pages: 375, exact: false });
  const list = await loadList({ ...reader(async () => 'Ada', { summaries }), textTasks }, 2);
  expect(list.cache.maxAge).toBeLessThanOrEqual(60);
});
