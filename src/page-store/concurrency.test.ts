import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeUnderReaders, unpublishUnderReaders } from '../../tests/support/store/races.ts';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

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

test('a page that waits for nothing is rendered before the next begins', async () => {
  const order: string[] = [];
  const step = (what: string) => async () => {
    for (let turn = 0; turn < 50; turn++) await undefined;
    order.push(`${what} ${site.renders.at(-1)}`);
  };
  site.gate.before = step('read by');
  site.gate.after = step('rendered');
  await Promise.all(['/post/one', '/'].map((path) => site.store.refresh(path, 0, 'test')));
  expect(order).toEqual(['read by /post/one', 'rendered /post/one', 'read by /', 'rendered /']);
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
  const background = ['a', 'b', 'c', 'd'].map((name) => site.store.refresh(`/post/${name}`, 0, 'test', 'background'));
  const read = site.get('/post/read');
  await expect.poll(() => site.renders).toContain('/post/read');
  let isAtRest = false;
  const rest = site.store.idle().then(() => {
    isAtRest = true;
  });
  expect(isAtRest).toBe(false);
  resolve();
  await rest;
  expect((await read).text).toBe('read');
  await Promise.all(background.slice(0, 2));
  expect(site.renders.toSorted()).toEqual(['/post/a', '/post/b', '/post/read']);
});

test('a writer’s answer says that pages are rendered when readers have the last change', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const change = (html: string) => {
    site.pages.set('/post/one', { html, tags: ['post:one'] });
    void site.store.refresh('/post/one', site.store.invalidate({ tags: ['post:one'] }, ['/post/one']), 'test');
    return site.store.rendered(['/post/one', '/post/nobody-asked']);
  };
  await change('first');
  site.gate.before = () => go;
  const [second, third] = [change('second'), change('third')];
  expect((await site.get('/post/one')).text).toBe('first');
  resolve();
  await Promise.all([second, third]);
  expect((await site.get('/post/one')).text).toBe('third');
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
