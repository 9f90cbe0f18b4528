import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failRenders, holdRenders, startSite, type TestSite } from '../../tests/support/store/site.ts';
import { createRevalidate, type Revalidate, type RevalidateOptions } from './revalidate.ts';

let site: TestSite;
let revalidate: Revalidate;
const posts = new Map<string, { title: string; author: string }>();

/** Publishes everything in `posts`: the home page shows the newest two, `/page/2` the next two, and so on. */
function publish(): void {
  site.pages.clear();
  const slugs = [...posts.keys()].reverse();
  for (const [slug, { title, author }] of posts)
    site.pages.set(`/post/${slug}`, { html: `<h1>${title}</h1>`, tags: [`post:${slug}`, `author:${author}`] });
  for (let page = 0; page * 2 < Math.max(slugs.length, 1); page++) {
    const shown = slugs.slice(page * 2, page * 2 + 2);
    site.pages.set(page === 0 ? '/' : `/page/${page + 1}`, {
      html: shown.map((slug) => posts.get(slug)?.title).join(', '),
      tags: ['posts', ...shown.map((slug) => `post:${slug}`)],
    });
  }
}
function write(slug: string, title: string, author = 'ann'): void {
  posts.set(slug, { title, author });
  publish();
}
function erase(...slugs: string[]): void {
  for (const slug of slugs) posts.delete(slug);
  publish();
}
const open = (options: Partial<RevalidateOptions> = {}) => {
  revalidate = createRevalidate({ store: site.store, log: () => undefined, ...options });
};
const text = async (path: string) => (await site.get(path)).text;
const lists = () => Promise.all(['/', '/page/2', '/page/3'].map(text));
beforeEach(async () => {
  site = await startSite();
  open();
  posts.clear();
  for (let i = 1; i <= 6; i++) posts.set(`p${i}`, { title: `Post ${i}`, author: i % 2 ? 'ann' : 'bob' });
  publish();
  for (const path of site.pages.keys()) await site.get(path);
  site.renders.length = 0;
});
afterEach(() => site.close());

test('a write stores its post and the first list page before it answers, and leaves the rest until it is asked for', async () => {
  write('p7', 'Post 7');
  const report = await revalidate({ slugs: ['p7'], from: 'writer' });
  expect(report).toMatchObject({ revalidated: ['/post/p7', '/'], removed: [], failed: [], outdated: 2 });
  expect(site.renders.sort()).toEqual(['/', '/post/p7']);
  for (const path of ['/post/p7', '/']) expect((await site.get(path)).headers['x-page']).toMatch(/^hit/);
  expect(await lists()).toEqual(['Post 7, Post 6', 'Post 5, Post 4', 'Post 3, Post 2']);
});

test('a write of a post that is no more takes away its page, every list that names it and those that name no post', async () => {
  site.pages.set('/page/9', { html: 'who knows', tags: ['posts'] });
  await site.get('/page/9');
  erase('p3');
  const report = await revalidate({ slugs: ['p3'], from: 'writer' });
  expect(report.removed).toContain('/post/p3');
  const held = ['/post/p3', '/page/2', '/page/9', '/page/3'].map((path) => site.store.holds(path));
  expect([...held, (await site.get('/post/p3')).status]).toEqual([false, false, false, true, 404]);
  expect(await lists()).toEqual(['Post 6, Post 5', 'Post 4, Post 2', 'Post 1']);
});

test('a write that leaves the post in its place outdates the pages that name it and those with every date', async () => {
  site.pages.set('/sitemap.xml', { html: 'dates', tags: ['posts', 'dates'] });
  site.pages.set('/archive', { html: 'years', tags: ['posts'] });
  for (const path of ['/sitemap.xml', '/archive']) await site.get(path);
  site.renders.length = 0;
  const report = await revalidate({ slugs: ['p3'], isInPlace: true, from: 'backend' });
  expect(report).toMatchObject({ revalidated: ['/post/p3', '/'], outdated: 2 });
  for (const path of site.pages.keys()) await site.get(path);
  expect(site.renders.toSorted()).toEqual(['/', '/page/2', '/post/p3', '/sitemap.xml']);
  site.renders.length = 0;
  await revalidate({ slugs: ['p3'], from: 'backend' });
  for (const path of site.pages.keys()) await site.get(path);
  expect(site.renders.toSorted()).toEqual(['/', '/archive', '/page/2', '/page/3', '/post/p3', '/sitemap.xml']);
});

test('a write of a post known to be gone needs no backend to take it away', async () => {
  failRenders(site);
  const report = await revalidate({ slugs: ['p6'], gone: ['p6'], from: 'backend' });
  expect(report.failed.map(({ path }) => path)).toEqual(['/post/p6', '/']);
  expect(report.removed.toSorted()).toEqual(['/', '/post/p6']);
  expect((await site.get('/post/p6')).status).toBe(503);
  expect(await text('/page/2')).toBe('Post 4, Post 3');
});

test('a write while the backend fails keeps what is stored and says what failed', async () => {
  write('p6', 'Post 6, again');
  failRenders(site);
  const report = await revalidate({ slugs: ['p6'], from: 'webhook' });
  expect(report.failed.map(({ path }) => path)).toEqual(['/post/p6', '/']);
  expect(await text('/post/p6')).toBe('<h1>Post 6</h1>');
});

test('a write told twice, or late, does no harm', async () => {
  write('p6', 'Post 6, again');
  await Promise.all(Array.from({ length: 20 }, () => revalidate({ slugs: ['p6'], from: 'webhook' })));
  // A render covers only the calls made before it began, so each of the two pages may be rendered up to three times.
  expect(site.renders.length).toBeLessThanOrEqual(6);
  expect(await revalidate({ slugs: ['p6'], gone: ['p6'], from: 'webhook' })).toMatchObject({ failed: [] });
  expect(await text('/post/p6')).toBe('<h1>Post 6, again</h1>');
});

test('a write that comes while another is being stored is in what both are answered with', async () => {
  const { begun, release } = holdRenders(site);
  write('p6', 'first');
  const first = revalidate({ slugs: ['p6'], from: 'writer' });
  await begun;
  write('p6', 'second');
  const second = revalidate({ slugs: ['p6'], from: 'writer' }).then(() => text('/post/p6'));
  release();
  await first;
  expect(await second).toBe('<h1>second</h1>');
});

describe('where the backend’s events are received', () => {
  beforeEach(() => open({ receivesEveryWrite: true }));

  test('a writer waits for the render that the event began, and causes no other', async () => {
    write('p6', 'Post 6, again');
    const event = revalidate({ slugs: ['p6'], from: 'backend' });
    const report = await revalidate({ slugs: ['p6'], from: 'writer' });
    expect(report).toMatchObject({ revalidated: ['/post/p6', '/'], failed: [] });
    expect(await text('/post/p6')).toBe('<h1>Post 6, again</h1>');
    await event;
    expect(site.renders.sort()).toEqual(['/', '/post/p6']);
  });

  test('a writer who deleted is answered when the lists are gone, too', async () => {
    erase('p3');
    void revalidate({ slugs: ['p3'], gone: ['p3'], from: 'backend' });
    const report = await revalidate({ slugs: ['p3'], from: 'writer' });
    expect(report.removed).toEqual(['/post/p3']);
    expect([site.store.holds('/post/p3'), site.store.holds('/page/2')]).toEqual([false, false]);
  });

  test('a page that fails at the event is tried again at the writer’s call', async () => {
    write('p6', 'Post 6, again');
    failRenders(site);
    await revalidate({ slugs: ['p6'], from: 'backend' });
    site.gate.before = undefined;
    await revalidate({ slugs: ['p6'], from: 'writer' });
    expect(await text('/post/p6')).toBe('<h1>Post 6, again</h1>');
  });
});

test('a rebuild of everything renders every stored page, and drops those that are no more', async () => {
  erase('p1', 'p2');
  const report = await revalidate({ all: true, complete: true, from: 'operator' });
  expect(report.revalidated.toSorted()).toEqual([...site.pages.keys()].sort());
  expect(report.removed.toSorted()).toEqual(['/page/3', '/post/p1', '/post/p2']);
  expect(report.outdated).toBe(0);
});

test('a post published between two others is known to them, too', async () => {
  const around = (slug: string, ...others: string[]) =>
    site.pages.set(`/post/${slug}`, { html: `between ${others}`, tags: [slug, ...others].map((one) => `post:${one}`) });
  around('a', 'c');
  around('c', 'a');
  await site.get('/post/a');
  await site.get('/post/c');
  around('a', 'b');
  around('b', 'a', 'c');
  around('c', 'b');
  await revalidate({ slugs: ['b'], from: 'webhook' });
  expect([await text('/post/a'), await text('/post/c')]).toEqual(['between b', 'between b']);
});

const moves = (from: string, to: string) => site.pages.set(from, { status: 301, headers: { Location: to } });
const become = () => {
  erase('p3');
  site.pages.set('/p3', { html: 'About', tags: ['post:p3'] });
  moves('/post/p3', '/p3');
};

test('a post that becomes a page is at its new address and in no list before the answer, and goes back', async () => {
  const purged: string[] = [];
  const announced: string[] = [];
  open({
    purge: ({ paths }) => void purged.push(...paths),
    notifySearchEngines: (paths) => void announced.push(...paths),
  });
  become();
  const there = await revalidate({ slugs: ['p3'], from: 'webhook' });
  expect(there).toMatchObject({ revalidated: ['/', '/p3'], removed: [], failed: [] });
  expect([await text('/p3'), (await site.get('/post/p3')).headers.location]).toEqual(['About', '/p3']);
  expect(announced).toEqual(['/p3']);
  for (const path of ['/', '/page/2', '/page/3']) expect(await text(path)).not.toContain('Post 3');
  erase();
  write('p3', 'Post 3');
  moves('/p3', '/post/p3');
  purged.length = 0;
  const back = await revalidate({ slugs: ['p3'], from: 'webhook' });
  expect(back).toMatchObject({ revalidated: ['/post/p3', '/'], removed: [], failed: [] });
  expect(purged).toEqual(expect.arrayContaining(['/post/p3', '/p3']));
  expect([site.store.holds('/p3'), (await site.get('/p3')).headers.location]).toEqual([false, '/post/p3']);
});

test('a post that becomes a page is taken away at once, known to be gone or not, where an old address leads elsewhere, too', async () => {
  for (const gone of [[], ['p3']]) {
    become();
    await revalidate({ slugs: ['p3'], from: 'webhook' });
    expect(site.store.holds('/p3')).toBe(true);
    site.pages.delete('/p3');
    moves('/post/p3', '/post/p1');
    const { removed } = await revalidate({ slugs: ['p3'], gone, from: 'peer' });
    expect(removed).toContain('/p3');
    expect([site.store.holds('/p3'), (await site.get('/p3')).status]).toEqual([false, 404]);
  }
});

test('a post that becomes a page is settled by its writer as the event has left it', async () => {
  become();
  open({ receivesEveryWrite: true });
  await revalidate({ slugs: ['p3'], from: 'backend' });
  site.renders.length = 0;
  const { revalidated, removed } = await revalidate({ slugs: ['p3'], from: 'writer' });
  expect([revalidated.toSorted(), removed]).toEqual([['/', '/p3'], []]);
  expect(site.renders).toEqual(['/post/p3']);
});

test('caches of the backend are cleared before anything is rendered', async () => {
  const forgotten: unknown[] = [];
  open({ forget: (tags) => forgotten.push([tags, site.renders.length]) });
  await revalidate({ tags: ['author:ann'], from: 'backend' });
  expect(forgotten).toEqual([[['author:ann'], 0]]);
});

test('announced is what readers can see or could, by the instance that was told first', async () => {
  const announced: (readonly string[])[] = [];
  open({ notifySearchEngines: (paths) => announced.push(paths) });
  write('p7', 'Post 7');
  await revalidate({ slugs: ['p7'], from: 'webhook' });
  // A draft is not announced to search engines, because readers have never seen it.
  await revalidate({ slugs: ['draft'], gone: ['draft'], from: 'webhook' });
  await revalidate({ slugs: ['p6'], from: 'peer' });
  erase('p1');
  await revalidate({ slugs: ['p1'], gone: ['p1'], from: 'webhook' });
  expect(announced).toEqual([['/post/p7'], [], ['/post/p1']]);
});

describe('the CDN', () => {
  let purges: { tags: readonly string[]; paths: readonly string[]; renders: number }[];
  beforeEach(() => {
    purges = [];
    open({ purge: (purge) => purges.push({ ...purge, renders: site.renders.length }) });
  });

  test('is told of tags and pages once they are stored', async () => {
    await revalidate({ slugs: ['p1'], from: 'webhook' });
    const paths = ['/post/p1', '/', '/page/3', '/author/ann'];
    expect(purges).toEqual([{ tags: ['post:p1', 'posts'], paths, renders: 2 }]);
    // Lists have only the tag `posts` in their headers, so every change to a post purges that tag.
    await revalidate({ slugs: ['p1'], isInPlace: true, from: 'backend' });
    expect(purges[1]?.tags).toEqual(['post:p1', 'dates', 'posts']);
  });

  test('is told of the pages that named a post, though they name it no more', async () => {
    site.pages.set('/post/p2', { html: 'after p1', tags: ['post:p2', 'post:p1'] });
    await revalidate({ paths: ['/post/p2'], from: 'webhook' });
    erase('p1');
    purges.length = 0;
    await revalidate({ slugs: ['p1'], from: 'webhook' });
    expect(purges[0]?.paths).toEqual(expect.arrayContaining(['/post/p1', '/post/p2', '/page/3']));
  });

  test('renders new adjacent posts, whose pages do not name the post yet, stored or not', async () => {
    site.pages.set('/post/p9', { html: 'between', tags: ['post:p9', 'post:p1', 'post:dropped'] });
    await revalidate({ slugs: ['p9'], from: 'webhook' });
    expect(purges[0]?.tags).toEqual(['post:p9', 'posts', 'post:dropped', 'post:p1']);
    expect(purges[0]?.paths).toEqual(expect.arrayContaining(['/post/p1', '/post/dropped']));
  });
});
