/** Posts with the largest documents that a writer can store exceed one list of the backend. */
import { Client, Databases } from 'node-appwrite';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { POST_FIELDS } from '#blog/post.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import { ownArchive } from '../browser/own-archive.ts';
import * as backend from '../browser.ts';
import { createPublicReader, type PublicReader } from '../server.ts';

const POSTS = 12;
/** A body has room for this many tags beside the longest text. */
const TAGS = 23_000;

let site: EmbeddedSite;
let reader: PublicReader;

const id = (n: number) => `large-${String(n).padStart(2, '0')}`;
const newestFirst = Array.from({ length: POSTS }, (_, n) => id(POSTS - 1 - n));

beforeAll(async () => {
  site = await openEmbeddedSite();
  reader = createPublicReader(site.target);
  const { endpoint, projectId, apiKey, databaseId, collectionId } = site.target;
  const databases = new Databases(new Client().setEndpoint(endpoint).setProject(projectId).setKey(apiKey));
  for (let n = 0; n < POSTS; n++) {
    await databases.createDocument({
      ...{ databaseId, collectionId, documentId: id(n) },
      data: {
        title: `Hoard ${'x'.repeat(POST_FIELDS.title.size - 6)}`,
        content: `<p>hoard ${'y '.repeat(POST_FIELDS.content.size / 2 - 10)}</p>`,
        status: 'active',
        tags: Array.from({ length: TAGS }, (_, tag) => `${tag}`.padEnd(POST_FIELDS.tags.size, 'z')),
        excerpt: 'e'.repeat(POST_FIELDS.excerpt.size),
        userId: 'ann',
      },
      permissions: postPermissions('active', 'ann'),
    });
  }
}, 60_000);
afterAll(() => site.close());

it('lists all of them, each with the tags that a post may have', async () => {
  const every = await reader.everyPost();
  const page = await reader.summaries(1, 24);
  for (const posts of [every, page.posts]) {
    expect(posts.map((post) => post.id)).toEqual(newestFirst);
    expect(posts.every(({ tags = [] }) => tags.length === POST_FIELDS.tags.most)).toBe(true);
  }
  expect(page).toMatchObject({ total: POSTS, pages: 1 });
  expect((await reader.summaries(2, 7)).posts.map((post) => post.id)).toEqual(newestFirst.slice(7));
});

it('finds them by their words, with their texts', async () => {
  const { posts, isMore } = await reader.search(['hoard']);
  expect(posts.map((post) => post.id)).toEqual(newestFirst);
  expect(isMore).toBe(false);
});

it('lists them to a writer', async () => {
  standInBrowser(site.site);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { posts, total, cursor } = await backend.listPosts();
  expect(posts.map((post) => post.id)).toEqual(newestFirst);
  expect([total, cursor]).toEqual([POSTS, undefined]);
  const first = await backend.listPosts({ limit: 8 });
  expect((await backend.listPosts({ limit: 8, cursor: first.cursor })).posts.map((post) => post.id)).toEqual(
    newestFirst.slice(8),
  );
});

it('gives them to their writer as an archive', async () => {
  standInBrowser(site.site);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { posts } = await ownArchive({ id: 'ann', name: 'Ann', email: 'ann@example.com' }, () => undefined);
  expect(posts).toBe(POSTS);
});
