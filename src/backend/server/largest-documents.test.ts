/** Lists posts whose documents are as large as a writer can make them: one backend response cannot contain them all. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { POST_FIELDS } from '#blog/post.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { ownArchive } from '../browser/own-archive.ts';
import * as backend from '../browser.ts';
import { createPublicReader } from '../server.ts';

const POSTS = 12;
/** Number of tags that fit into a request body together with the longest text. */
const TAGS = 23_000;

const site = await sharedSite();
const reader = createPublicReader(site.target);

const id = (n: number) => `large-${String(n).padStart(2, '0')}`;
const newestFirst = Array.from({ length: POSTS }, (_, n) => id(POSTS - 1 - n));
const idsOf = (posts: readonly { readonly id: string }[]) => posts.map((post) => post.id);

const { title, content, tags, excerpt } = POST_FIELDS;
const data = {
  title: `Hoard ${'x'.repeat(title.size - 6)}`,
  content: `<p>hoard ${'y '.repeat(content.size / 2 - 10)}</p>`,
  status: 'active',
  tags: Array.from({ length: TAGS }, (_, tag) => `${tag}`.padEnd(tags.size, 'z')),
  excerpt: 'e'.repeat(excerpt.size),
  userId: 'ann',
};
for (const documentId of newestFirst.toReversed()) {
  const permissions = postPermissions('active', 'ann');
  await contentOf(site).databases.createDocument({ ...ARTICLES, documentId, data, permissions });
}

it('lists all of them, each with the tags that a post may have', async () => {
  const every = await reader.everyPost();
  const page = await reader.summaries(1, 24);
  for (const posts of [every, page.posts]) {
    expect(idsOf(posts)).toEqual(newestFirst);
    expect(posts.every((post) => post.tags?.length === tags.most)).toBe(true);
  }
  expect(page).toMatchObject({ total: POSTS, pages: 1 });
  expect(idsOf((await reader.summaries(2, 7)).posts)).toEqual(newestFirst.slice(7));
});

it('finds them by their words, with their texts', async () => {
  const { posts, isMore } = await reader.search(['hoard']);
  expect([idsOf(posts), isMore]).toEqual([newestFirst, false]);
});

it('lists them to a writer', async () => {
  standInBrowser(site.site);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { posts, total, cursor } = await backend.listPosts();
  expect([idsOf(posts), total, cursor]).toEqual([newestFirst, POSTS, undefined]);
  const first = await backend.listPosts({ limit: 8 });
  const second = await backend.listPosts({ limit: 8, cursor: first.cursor });
  expect(idsOf(second.posts)).toEqual(newestFirst.slice(8));
});

it('gives them to their writer as an archive', async () => {
  standInBrowser(site.site);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { posts } = await ownArchive({ id: 'ann', name: 'Ann', email: 'ann@example.com' }, () => undefined);
  expect(posts).toBe(POSTS);
});
