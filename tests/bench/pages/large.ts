/** Measures how long a site with 100,000 posts takes to start and how much memory it uses after many renders. */
import { join } from 'node:path';
import { postPath } from '#blog/routes/paths.ts';
import { residentMiB } from '../../support/process-usage.ts';
import type { Report } from '../report.ts';
import { madeSite } from './posts.ts';
import { type Server, startSite } from './servers.ts';
import { slugAt, type Texts } from './texts.ts';

/** A hundred thousand pages take 5 GB, more than the store's default limit. */
const env = { PAGES_DISK_MB: '16384' };
const RENDERS = 2000;
const READERS = 4;
/** Content of posts that aren't rendered during the measurement, short to save disk space. */
const SHORT = '<p>Ink spreads along the fibres until it meets the size.</p>';

async function read(site: Server, posts: readonly number[]): Promise<void> {
  const left = posts.values();
  const reader = async () => {
    for (const n of left) {
      const response = await fetch(site.url + postPath(slugAt(n)));
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${postPath(slugAt(n))}: ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
}

/** Measures a start with stored pages for `stored` of the `posts` posts, then the memory after many renders. */
export async function benchLarge(report: Report, folder: string, texts: Texts, posts: number, stored: number) {
  const step = Math.max(1, Math.floor(posts / RENDERS));
  const all = Array.from({ length: posts }, (_, n) => n);
  const isWhole = (n: number) => n % step === 0;
  const at = (n: number) => (isWhole(n) ? texts.at(n) : { ...texts.at(n), content: SHORT });
  const directory = await madeSite(join(folder, 'large'), posts, { pictures: texts.pictures, at });
  const before = await startSite(directory, { env });
  await read(before, all.filter((n) => !isWhole(n)).slice(0, stored));
  await before.stop();
  const site = await startSite(directory, { core: 0, env });
  try {
    report.line(`start with ${posts} posts`, site.readyAfter, { most: 2000 }, 'ms');
    const rendered = all.filter(isWhole).slice(0, RENDERS);
    await read(site, rendered);
    report.line(`resident after ${rendered.length} renders`, residentMiB(site.pid), { most: 300 }, 'MiB');
  } finally {
    await site.stop();
  }
}
