import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRevalidate } from './revalidate.ts';
import { ask, startSite, type TestSite } from './testing/site.ts';

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

/** A page of one version: its number everywhere, so that a mix of two versions cannot hide. */
const version = (n: number) => `<h1>${n}</h1>${`<p>${n}</p>`.repeat(60)}`;
const versionOf = (html: string): number => {
  const numbers = new Set(html.match(/\d+(?=<)/g));
  if (numbers.size !== 1 || html !== version(Number([...numbers][0]))) throw new Error(`mixed: ${[...numbers]}`);
  return Number([...numbers][0]);
};

test('two hundred readers, two pages that change a hundred times: never an error, a mix, or an older version after a newer one', async () => {
  const paths = ['/post/one', '/'] as const;
  let written = 0;
  const write = () => {
    written++;
    site.pages.set('/post/one', { html: version(written), tags: ['post:one'] });
    site.pages.set('/', { html: version(written), tags: ['posts', 'post:one'] });
  };
  write();
  // The backend is read at some moment of the render, which takes a while before and after.
  site.gate.before = () => sleep(Math.random() * 4);
  site.gate.after = () => sleep(Math.random() * 4);
  const revalidate = createRevalidate({ store: site.store, log: () => undefined });

  /** The newest version that any answer, complete by then, had shown. */
  const newest = new Map<string, number>(paths.map((path) => [path, 0]));
  let acknowledged = 0;
  let done = false;
  let reads = 0;
  const reader = async (i: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = paths[i % 2] as string;
    while (!done) {
      const floor = Math.max(newest.get(path) as number, acknowledged);
      const answer = await ask(agent, site.origin, path, i % 3 ? { 'accept-encoding': 'br' } : {});
      expect(answer.status).toBe(200);
      const html = answer.headers['content-encoding'] ? brotliDecompressSync(answer.body).toString() : answer.text;
      const seen = versionOf(html);
      expect(seen).toBeGreaterThanOrEqual(floor);
      newest.set(path, Math.max(newest.get(path) as number, seen));
      reads++;
      // Two hundred readers who think for a moment: the test shares its machine.
      await sleep(100 + Math.random() * 200);
    }
    agent.destroy();
  };
  const writer = async () => {
    for (let i = 0; i < 100; i++) {
      write();
      const mine = written;
      const report = await revalidate({ slugs: ['one'], from: i % 2 ? 'writer' : 'webhook' });
      expect(report.failed).toEqual([]);
      acknowledged = Math.max(acknowledged, mine);
      if (i % 10 === 9) await sleep(20);
    }
    done = true;
  };
  await Promise.all([...Array.from({ length: 200 }, (_, i) => reader(i)), writer()]);
  expect(reads).toBeGreaterThan(600);
  expect(newest.get('/')).toBe(written);
}, 120_000);

test('unpublished under load: after the answer nobody sees it, wherever it was named', async () => {
  const secret = 'the secret sentence';
  const publishAll = () => {
    site.pages.set('/post/one', { html: secret, tags: ['post:one'] });
    site.pages.set('/', { html: `list: ${secret}`, tags: ['posts', 'post:one'] });
    site.pages.set('/page/2', { html: `older: ${secret}`, tags: ['posts'] });
  };
  const unpublishAll = () => {
    site.pages.delete('/post/one');
    site.pages.set('/', { html: 'list', tags: ['posts', 'post:two'] });
    site.pages.set('/page/2', { html: 'older', tags: ['posts', 'post:two'] });
  };
  site.gate.before = () => sleep(Math.random() * 3);
  site.gate.after = () => sleep(Math.random() * 3);
  const revalidate = createRevalidate({ store: site.store, log: () => undefined });
  /** Odd while the post is public, even from the answer to its unpublishing on. */
  let epoch = 0;
  let done = false;
  let seen = 0;
  const reader = async (path: string) => {
    while (!done) {
      const before = epoch;
      const answer = await site.get(path);
      if (answer.text.includes(secret)) {
        seen++;
        expect(before % 2 === 1 || epoch > before).toBe(true);
      }
      await sleep(20);
    }
  };
  const writer = async () => {
    for (let i = 0; i < 30; i++) {
      epoch++;
      publishAll();
      await revalidate({ slugs: ['one'], from: 'webhook' });
      await sleep(10);
      unpublishAll();
      await revalidate({ slugs: ['one'], ...(i % 2 && { gone: ['one'] }), from: 'webhook' });
      epoch++;
      await sleep(10);
    }
    done = true;
  };
  const paths = ['/post/one', '/', '/page/2'];
  await Promise.all([...Array.from({ length: 30 }, (_, i) => reader(paths[i % 3] as string)), writer()]);
  expect(seen).toBeGreaterThan(30);
}, 120_000);
