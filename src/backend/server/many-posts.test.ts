import { expect, it, vi } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { createPosts } from '../../../tests/support/bulk-posts.ts';
import { ARTICLES, contentOf } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import * as backend from '../browser.ts';
import { createPublicReader } from '../server.ts';

const MANY = 5_525;
const PER_PAGE = 24;

const site = await sharedSite();
const { databases } = contentOf(site);
const reader = createPublicReader(site.target);
const id = (n: number) => `post-${String(n).padStart(5, '0')}`;
const minute = (n: number) => new Date(Date.UTC(2020, 0, 1, 0, n)).toISOString().replace('Z', '+00:00');

/** Returns a post's document. A larger `n` means a later creation time. */
function document(n: number, author = 'ann', owner = author) {
  const data = { title: id(n), content: '', featuredImage: '', status: 'active', userId: author };
  return { $id: id(n), $createdAt: minute(n), $permissions: postPermissions('active', owner), ...data };
}

const newest = [...Array(MANY).keys()].toReversed();
await createPosts(databases.client, 'ann', MANY, (n) => document(MANY - 1 - n));

it('beyond the 5000 posts that Appwrite counts, list pages are counted and read to the end', async () => {
  const last = Math.ceil(MANY / PER_PAGE);
  const first = await reader.page(1, PER_PAGE);
  expect([first.total, first.pages]).toEqual([MANY, last]);
  for (const page of [200, last]) {
    const { posts } = await reader.page(page, PER_PAGE);
    expect(posts.map((post) => post.id)).toEqual(newest.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(id));
  }
  expect(await reader.page(last + 1, PER_PAGE)).toMatchObject({ posts: [], pages: last });
});

it('beyond the 5000 posts that Appwrite counts, a page is there as soon as something is on it, whatever was counted before', async () => {
  const full = Math.ceil(MANY / PER_PAGE) * PER_PAGE;
  const documents = Array.from({ length: full - MANY + 1 }, (_, i) => document(MANY + i));
  await databases.createDocuments({ ...ARTICLES, documents });
  const last = full / PER_PAGE + 1;
  expect(await reader.page(last, PER_PAGE)).toMatchObject({ pages: last, posts: [{ id: id(0) }] });
  for (const { $id } of documents) await databases.deleteDocument({ ...ARTICLES, documentId: $id });
});

it('beyond the 5000 posts that Appwrite counts, a writer’s list is counted', async () => {
  standInBrowser(site.site);
  expect(await backend.listPosts()).toMatchObject({ total: 5000, totalIsLeast: true });
  expect(await backend.countPosts({})).toBe(MANY);
  expect(await backend.countPosts({ search: 'post-0001', order: 'oldest' })).toBe(10);
  vi.unstubAllGlobals();
});

it('beyond the 5000 posts that Appwrite counts, every post is walked through once, newest first', async () =>
  expect((await reader.everyPost()).map((post) => post.id)).toEqual(newest.map(id)));

it('beyond the 5000 posts that Appwrite counts, posts of one author and of one time are found among them, forgeries are not', async () => {
  const [real, forged] = [document(MANY, 'ben'), document(MANY + 1, 'ben', 'eve')];
  await databases.createDocuments({ ...ARTICLES, documents: [real, forged] });
  expect((await reader.everyPost({ userId: 'ben' })).map((post) => post.id)).toEqual([id(MANY)]);
  const hour = await reader.everyPost({ from: minute(60), until: minute(120) });
  expect([hour.length, hour[0]?.id, hour.at(-1)?.id]).toEqual([60, id(119), id(60)]);
});
