import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';
import { createRevalidate, type Revalidate } from './revalidate.ts';

/** Far more posts than the site can render while they are being published, as in an import. */
const MANY = 2000;
let site: TestSite;
let revalidate: Revalidate;
beforeEach(async () => {
  site = await startSite();
  site.gate.before = () => sleep(2);
  site.pages.set('/', { html: 'home', tags: ['posts'] });
  site.pages.set('/feed.xml', { html: 'feed', tags: ['posts'] });
  for (let i = 0; i < MANY; i++) site.pages.set(`/post/p${i}`, { html: `post ${i}`, tags: [`post:p${i}`] });
  revalidate = createRevalidate({ store: site.store, receivesEveryWrite: true, log: (...line) => problems.push(line) });
  problems.length = 0;
});
afterEach(() => site.close());
const problems: unknown[] = [];

const bulk = () =>
  Promise.all(Array.from({ length: MANY }, (_, i) => revalidate({ slugs: [`p${i}`], from: 'backend' })));
/** Delays the renders of all posts except `others` until the returned function is called. */
function held(...others: string[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  site.gate.before = (path) => (path.startsWith('/post/') && !others.includes(path) ? promise : undefined);
  return resolve;
}
const last = `/post/p${MANY - 1}`;

test('a bulk renders the list once for many writes, and leaves most posts to their first readers', async () => {
  await bulk();
  expect(site.renders.filter((path) => path === '/').length).toBeLessThan(5);
  expect(site.renders.length).toBeLessThan(100);
  expect(problems).toEqual([]);
  for (const path of ['/post/p0', `/post/p${MANY - 1}`]) expect((await site.get(path)).status).toBe(200);
});

test('stored pages that a bulk changed are never shown old once it is over', async () => {
  for (let i = 0; i < 200; i++) await site.get(`/post/p${i}`);
  for (let i = 0; i < 200; i++) site.pages.set(`/post/p${i}`, { html: `changed ${i}`, tags: [`post:p${i}`] });
  await bulk();
  for (let i = 0; i < 200; i++) expect((await site.get(`/post/p${i}`)).text).toBe(`changed ${i}`);
});

test('neither a reader nor a writer waits behind a bulk', async () => {
  const release = held(last);
  const written = bulk();
  expect((await site.get('/feed.xml')).text).toBe('feed');
  await revalidate({ slugs: [`p${MANY - 1}`], from: 'writer' });
  expect((await site.get(last)).headers['x-page']).toMatch(/^hit/);
  release();
  await written;
});

test('a rebuild of named pages lets readers go first, too', async () => {
  const paths = Array.from({ length: 200 }, (_, i) => `/post/p${i}`);
  const release = held();
  const rebuilt = revalidate({ paths, complete: true, from: 'operator' });
  expect((await site.get('/feed.xml')).text).toBe('feed');
  release();
  expect((await rebuilt).revalidated.length).toBe(201);
});

test('posts between which a bulk put others are rendered again', async () => {
  const between = (slug: string, next: string) =>
    site.pages.set(`/post/${slug}`, { html: `before ${next}`, tags: [`post:${slug}`, `post:${next}`] });
  between('old', 'older');
  expect((await site.get('/post/old')).text).toBe('before older');
  between('old', `p${MANY - 1}`);
  await bulk();
  expect((await site.get('/post/old')).text).toBe(`before p${MANY - 1}`);
});
