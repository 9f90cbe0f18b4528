import { Client, Databases } from 'node-appwrite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postPermissions } from '#blog/permissions.ts';
import { standInBrowser } from '../../../tests/support/browser.ts';
import { type EmbeddedSite, openEmbeddedSite } from '../../../tests/support/embedded-site.ts';
import * as backend from '../browser.ts';
import { createPublicReader, type PublicReader } from '../server.ts';

const MANY = 5_525;
const PER_PAGE = 24;

let site: EmbeddedSite;
let databases: Databases;
let reader: PublicReader;

const place = () => ({ databaseId: site.target.databaseId, collectionId: site.target.collectionId });
const id = (n: number) => `post-${String(n).padStart(5, '0')}`;
const minute = (n: number) => new Date(Date.UTC(2020, 0, 1, 0, n)).toISOString().replace('Z', '+00:00');

/** Creates a document; `n` grows with time. */
function document(n: number, author = 'ann', owner = author) {
  const data = { title: id(n), content: '', featuredImage: '', status: 'active', userId: author };
  return { $id: id(n), $createdAt: minute(n), $permissions: postPermissions('active', owner), ...data };
}

beforeAll(async () => {
  site = await openEmbeddedSite();
  const { endpoint, projectId, apiKey } = site.target;
  databases = new Databases(new Client().setEndpoint(endpoint).setProject(projectId).setKey(apiKey));
  for (let from = 0; from < MANY; from += 100) {
    const documents = Array.from({ length: Math.min(100, MANY - from) }, (_, i) => document(from + i));
    await databases.createDocuments({ ...place(), documents });
  }
}, 120_000);
afterAll(() => site.close());

describe('beyond the 5000 posts that Appwrite counts', () => {
  it('list pages are counted and read to the end', async () => {
    reader = createPublicReader(site.target);
    const last = Math.ceil(MANY / PER_PAGE);
    const first = await reader.page(1, PER_PAGE);
    expect([first.total, first.pages]).toEqual([MANY, last]);
    const end = await reader.page(last, PER_PAGE);
    expect(end.posts.map((post) => post.id)).toEqual([4, 3, 2, 1, 0].map(id));
    const middle = await reader.page(200, PER_PAGE);
    expect(middle.posts[0]?.id).toBe(id(MANY - 1 - 199 * PER_PAGE));
    expect(await reader.page(last + 1, PER_PAGE)).toMatchObject({ posts: [], pages: last });
  });

  it('a page is there as soon as something is on it, whatever was counted before', async () => {
    const full = Math.ceil(MANY / PER_PAGE) * PER_PAGE;
    const documents = Array.from({ length: full - MANY + 1 }, (_, i) => document(MANY + i));
    await databases.createDocuments({ ...place(), documents });
    const last = full / PER_PAGE + 1;
    expect(await reader.page(last, PER_PAGE)).toMatchObject({ pages: last, posts: [{ id: id(0) }] });
    for (const { $id } of documents) await databases.deleteDocument({ ...place(), documentId: $id });
  });

  it('a writer’s list is counted', async () => {
    standInBrowser(site.site);
    expect(await backend.listPosts()).toMatchObject({ total: 5000, totalIsLeast: true });
    expect(await backend.countPosts({})).toBe(MANY);
    expect(await backend.countPosts({ search: 'post-0001', order: 'oldest' })).toBe(10);
    vi.unstubAllGlobals();
  });

  it('every post is walked through once, newest first', async () => {
    const posts = await reader.everyPost();
    expect(posts.map((post) => post.id)).toEqual(Array.from({ length: MANY }, (_, i) => id(MANY - 1 - i)));
  });

  it('posts of one author and of one time are found among them, forgeries are not', async () => {
    const [real, forged] = [document(MANY, 'ben'), document(MANY + 1, 'ben', 'eve')];
    await databases.createDocuments({ ...place(), documents: [real, forged] });
    expect((await reader.everyPost({ userId: 'ben' })).map((post) => post.id)).toEqual([id(MANY)]);
    const hour = await reader.everyPost({ from: minute(60), until: minute(120) });
    expect([hour.length, hour[0]?.id, hour.at(-1)?.id]).toEqual([60, id(119), id(60)]);
  });
});
