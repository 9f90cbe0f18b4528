import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { createRevalidate } from '#publishing/revalidate.ts';
import { ask, type TestSite } from './site.ts';

/** A page that repeats its version number, so that a mix of two versions shows. */
const version = (n: number) => `<h1>${n}</h1>${`<p>${n}</p>`.repeat(60)}`;
const versionOf = (html: string): number => {
  const numbers = new Set(html.match(/\d+(?=<)/g));
  if (numbers.size !== 1 || html !== version(Number([...numbers][0]))) throw new Error(`mixed: ${[...numbers]}`);
  return Number([...numbers][0]);
};

/**
 * Changes two pages a hundred times while two hundred readers read them. Fails on an error, a mix of two versions, or
 * an older version after a newer one was seen or acknowledged. Returns the number of reads.
 */
export async function changeUnderReaders(site: TestSite): Promise<number> {
  const paths = ['/post/one', '/'] as const;
  let written = 0;
  const write = () => {
    written++;
    site.pages.set('/post/one', { html: version(written), tags: ['post:one'] });
    site.pages.set('/', { html: version(written), tags: ['posts', 'post:one'] });
  };
  write();
  // Delays each render around the moment at which it reads the backend.
  site.gate.before = () => sleep(Math.random() * 4);
  site.gate.after = () => sleep(Math.random() * 4);
  const revalidate = createRevalidate({ store: site.store, log: () => undefined });

  /** The newest version in any answer that was complete by then. */
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
      // Pauses each of the two hundred readers: the test shares its machine.
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
  expect(newest.get('/')).toBe(written);
  return reads;
}
