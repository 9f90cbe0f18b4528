import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';
import { revalidationFor } from './backend-events.ts';
import { createRevalidate, type Revalidation } from './revalidate.ts';

let site: TestSite;
const posts = new Map<string, readonly string[]>();
const LISTED = ['/tag/ink', '/tag/paper', '/tag/size', '/archive'];

function publish(): void {
  site.pages.clear();
  for (const [slug, tags] of posts)
    site.pages.set(`/post/${slug}`, { html: slug, tags: [`post:${slug}`, ...tags.map((tag) => `tagged:${tag}`)] });
  for (const tag of ['ink', 'paper', 'size']) {
    const shown = [...posts].flatMap(([slug, tags]) => (tags.includes(tag) ? [slug] : []));
    const cacheTags = [`tag:${tag}`, 'tags', ...shown.map((slug) => `post:${slug}`)];
    site.pages.set(`/tag/${tag}`, { html: shown.join(' '), tags: cacheTags });
  }
  site.pages.set('/', { html: [...posts.keys()].join(' '), tags: ['posts'] });
  site.pages.set('/archive', { html: JSON.stringify([...posts]), tags: ['posts', 'tag-counts'] });
}

/** Applies a write and then reads every list. Returns the lists that were rendered again. */
async function renewed(revalidation: Omit<Revalidation, 'from'> & Partial<Revalidation>): Promise<string[]> {
  publish();
  await createRevalidate({ store: site.store, log: () => undefined })({ from: 'backend', ...revalidation });
  for (const path of LISTED) {
    await site.get(path);
    await site.store.rendered([path]);
  }
  const found = LISTED.filter((path) => site.renders.includes(path));
  for (const path of LISTED) expect((await site.get(path)).text, path).toBe(site.pages.get(path)?.html);
  return found;
}

const updated = (tags: readonly string[], changed?: string[]) => {
  const articles = { databaseId: 'blog', collectionId: 'articles' };
  const event = 'databases.blog.collections.articles.documents.a.update';
  return revalidationFor(event, { status: 'active', tags }, articles, 'backend', changed) as Revalidation;
};

beforeEach(async () => {
  site = await startSite();
  posts.clear();
  posts.set('a', ['ink']).set('b', ['ink', 'paper']).set('c', ['size']);
  publish();
  for (const path of site.pages.keys()) await site.get(path);
  site.renders.length = 0;
});
afterEach(() => site.close());

test('a new post outdates the pages of its tags and of no other', async () => {
  posts.set('d', ['paper']);
  expect(await renewed({ slugs: ['d'] })).toEqual(['/tag/paper', '/archive']);
});

test('a tag that is given, and one that is taken, are found whoever tells of it', async () => {
  posts.set('a', ['paper']);
  expect(await renewed({ slugs: ['a'], from: 'peer' })).toEqual(['/tag/ink', '/tag/paper', '/archive']);
  site.renders.length = 0;
  posts.set('a', ['size']);
  expect(await renewed(updated(['Size'], ['tags']))).toEqual(['/tag/paper', '/tag/size', '/archive']);
  site.renders.length = 0;
  posts.set('a', []);
  expect(await renewed(updated([], ['tags']))).toEqual(['/tag/size', '/archive']);
});

test('an edit of the text outdates the pages that name the post, and no other of its tags', async () => {
  site.pages.set('/tag/paper', { html: 'b', tags: ['tag:paper', 'tags'] });
  await site.get('/tag/paper');
  expect(updated(['Ink', 'Paper'], ['content']).tags).toBeUndefined();
  expect(await renewed(updated(['Ink'], ['content']))).toEqual(['/tag/ink']);
});

test('a post that is taken back or deleted is on no page of a tag any more', async () => {
  posts.delete('b');
  expect(await renewed({ slugs: ['b'], gone: ['b'] })).toEqual(['/tag/ink', '/tag/paper', '/archive']);
});

test('of a bulk whose posts are not all rendered, every page of a tag is outdated', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `m${i}`);
  for (const slug of many) posts.set(slug, ['size']);
  expect(await renewed({ slugs: many, from: 'webhook' })).toEqual(LISTED);
});
