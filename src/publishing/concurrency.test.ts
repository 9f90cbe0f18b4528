import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compressNow } from './store/bodies.ts';
import { FINISHING_HERE } from './store/finishing.ts';
import { changeUnderReaders, unpublishUnderReaders } from './testing/races.ts';
import { startSite, type TestSite } from './testing/site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

test('a thousand readers of a cold page cost one render', async () => {
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  site.gate.before = () => sleep(30);
  const answers = await Promise.all(Array.from({ length: 1000 }, () => site.get('/post/one')));
  expect(answers.every(({ status, text }) => status === 200 && text === 'one')).toBe(true);
  expect(site.renders).toEqual(['/post/one']);
});

test('a thousand readers of one page that is not there cost one render', async () => {
  site.gate.before = () => expect.poll(() => site.requests, { timeout: 15_000 }).toBe(1000);
  const answers = await Promise.all(Array.from({ length: 1000 }, () => site.get('/post/none')));
  expect(answers.every(({ status }) => status === 404)).toBe(true);
  expect(site.renders.length).toBe(1);
});

test('a flood of pages that are not there renders a few at a time, and the rest is told to come back', async () => {
  let [running, most] = [0, 0];
  site.gate.before = async () => {
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => site.get(`/post/none-${i}`)));
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect(most).toBeLessThanOrEqual(6);
  expect([...counts.keys()].sort()).toEqual([404, 503]);
  expect(counts.get(404)?.length).toBeGreaterThanOrEqual(256);
  expect(counts.get(503)?.[0]?.headers['retry-after']).toBe('5');
  expect(site.store.statistics().pages).toBe(0);
});

test('a store that comes to rest ends what readers wait for, and begins nothing that nobody waits for', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'read'])
    site.pages.set(`/post/${name}`, { html: name, tags: [`post:${name}`] });
  const { promise: go, resolve } = Promise.withResolvers<void>();
  site.gate.before = () => go;
  const unasked = ['a', 'b', 'c', 'd'].map((name) => site.store.refresh(`/post/${name}`, 0, 'test', 'background'));
  const read = site.get('/post/read');
  await expect.poll(() => site.renders).toContain('/post/read');
  let isAtRest = false;
  const rest = site.store.rest().then(() => {
    isAtRest = true;
  });
  expect(isAtRest).toBe(false);
  resolve();
  await rest;
  expect((await read).text).toBe('read');
  await Promise.all(unasked.slice(0, 2));
  expect(site.renders.toSorted()).toEqual(['/post/a', '/post/b', '/post/read']);
});

/** Another site, which makes no compressed forms before the function that this gives is called. */
async function compressLater(): Promise<() => void> {
  const { promise: go, resolve: compressAll } = Promise.withResolvers<void>();
  await site.close();
  site = await startSite({ finishing: { ...FINISHING_HERE, compress: (body) => go.then(() => compressNow(body)) } });
  return compressAll;
}

test('while the compressed forms of many pages are being made, other pages are read, compressed ones too', async () => {
  const compressAll = await compressLater();
  for (let i = 0; i < 300; i++) site.pages.set(`/post/p${i}`, { html: `page ${i}`, tags: [`post:p${i}`] });
  for (let i = 0; i < 300; i++) expect((await site.get(`/post/p${i}`)).text).toBe(`page ${i}`);
  const compressed = await site.get('/post/p0', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(compressed.body).toString()).toBe('page 0');
  compressAll();
  await site.store.stored();
  const stored = await site.get('/post/p0', { 'accept-encoding': 'br' });
  expect(stored.headers.etag).toBe(compressed.headers.etag);
  expect(stored.body).toEqual(compressed.body);
});

test('pages whose compressed forms are being made hold eight mebibytes at most: then the next one waits', async () => {
  const compressAll = await compressLater();
  const mebibyte = 'a'.repeat(2 ** 20);
  for (let i = 0; i < 9; i++) site.pages.set(`/post/p${i}`, { html: mebibyte, tags: [`post:p${i}`] });
  for (let i = 0; i < 8; i++) expect((await site.get(`/post/p${i}`)).text.length).toBe(2 ** 20);
  const ninth = site.get('/post/p8');
  expect((await site.get('/post/p7')).text.length).toBe(2 ** 20);
  expect(site.renders.length).toBe(8);
  compressAll();
  expect((await ninth).text.length).toBe(2 ** 20);
});

test('a page that changes again while its files are being made is shown at once, and what is stored is the last', async () => {
  const compressAll = await compressLater();
  const change = (html: string) => {
    site.pages.set('/post/one', { html, tags: ['post:one'] });
    return site.store.refresh('/post/one', site.store.invalidate({ tags: ['post:one'] }, ['/post/one']), 'test');
  };
  const refreshed = [];
  for (let i = 1; i <= 10; i++) {
    refreshed.push(change(`change ${i}`));
    await expect.poll(async () => (await site.get('/post/one')).text).toBe(`change ${i}`);
  }
  compressAll();
  expect(await Promise.all(refreshed)).toEqual(refreshed.map(() => expect.objectContaining({ kind: 'stored' })));
  expect(site.renders.length).toBe(10);
  site.gate.before = () => {
    throw new Error('the site is down');
  };
  await site.restart({ finishing: FINISHING_HERE });
  expect((await site.get('/post/one')).text).toBe('change 10');
});

test('a page is said to be shown when readers have the change, before its files are in place', async () => {
  const { promise: rendered, resolve: renderAll } = Promise.withResolvers<void>();
  const compressAll = await compressLater();
  const change = (html: string) => {
    site.pages.set('/post/one', { html, tags: ['post:one'] });
    void site.store.refresh('/post/one', site.store.invalidate({ tags: ['post:one'] }, ['/post/one']), 'test');
    return site.store.shown(['/post/one', '/post/nobody-asked']);
  };
  await change('first');
  expect((await site.get('/post/one')).text).toBe('first');
  site.gate.before = () => rendered;
  const [second, third] = [change('second'), change('third')];
  expect((await site.get('/post/one')).text).toBe('first');
  renderAll();
  await Promise.all([second, third]);
  expect((await site.get('/post/one')).text).toBe('third');
  compressAll();
});

test('a writer does not wait behind a flood', async () => {
  site.gate.before = (path) => (path === '/post/one' ? undefined : sleep(50));
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  let flooded = true;
  const flood = Promise.all(Array.from({ length: 60 }, (_, i) => site.get(`/post/none-${i}`)));
  await sleep(20);
  void flood.then(() => {
    flooded = false;
  });
  await site.store.refresh('/post/one', site.store.invalidate({ tags: ['post:one'] }, ['/post/one']), 'test');
  expect(flooded).toBe(true);
  await flood;
});

test('two hundred readers, two pages that change a hundred times: never an error, a mix, or an older version after a newer one', async () => {
  expect(await changeUnderReaders(site)).toBeGreaterThan(600);
}, 120_000);

test('unpublished under load: after the answer nobody sees it, wherever it was named', async () => {
  expect(await unpublishUnderReaders(site)).toBeGreaterThan(30);
}, 120_000);
