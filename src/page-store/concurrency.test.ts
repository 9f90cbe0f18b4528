import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSite, type TestSite } from '../../tests/support/store/site.ts';

let site: TestSite;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

test('renders a page once for a thousand readers', async () => {
  site.pages.set('/post/one', { html: 'one', tags: ['post:one'] });
  for (const path of ['/post/one', '/post/none']) {
    const before = site.requests;
    site.gate.before = () => expect.poll(() => site.requests - before).toBe(1000);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => site.get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([path === '/post/one' ? 200 : 404]));
  }
  expect(site.renders).toEqual(['/post/one', '/post/none']);
});

test('renders six missing pages at a time in a flood, and answers the rest 503', async () => {
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

test('answers a writer when readers get the last change', async () => {
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
