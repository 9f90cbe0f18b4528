/**
 * `npm run bench -- pages [--part hits|workers|fresh|large] [--posts 10000] [--large 100000] [--seconds 4]`: what readers get
 * from the built site beside a bare `node:http` server, nginx and Astro's own cache; how soon a write is on the pages; what
 * a large archive costs. Each figure is printed beside its bound. Needs Linux with wrk, nginx and taskset.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFreshness } from './pages/freshness.ts';
import { benchHits, benchWorkers } from './pages/hits.ts';
import { benchLarge } from './pages/large.ts';
import { madeSite } from './pages/posts.ts';
import { Report } from './pages/report.ts';
import { type Server, startSite } from './pages/servers.ts';
import { missing } from './pages/wrk.ts';

const PARTS = ['hits', 'workers', 'fresh', 'large'] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    part: { type: 'string', multiple: true, default: [...PARTS] },
    posts: { type: 'string', default: '10000' },
    large: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '4' },
  },
});
const [posts, large, seconds] = [Number(values.posts), Number(values.large), Number(values.seconds)];
const wanted = (part: Part) => values.part.includes(part);

const lacks = await missing('taskset', 'wrk', 'nginx');
if (lacks.length > 0) {
  console.error(`This bench needs ${lacks.join(' and ')}. On Debian: apt-get install util-linux wrk nginx-light`);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
const running: Server[] = [];
const start = async (directory: string, core?: number) => {
  const site = await startSite(directory, { core });
  running.push(site);
  return site;
};
const report = new Report();
try {
  const data = await madeSite(join(folder, 'data'), 100);
  if (wanted('hits')) {
    const site = await start(data, 0);
    await benchHits(report, site, folder, seconds);
    await site.stop();
  }
  if (wanted('workers')) await benchWorkers(report, folder, data, seconds);
  if (wanted('fresh')) {
    const many = await start(await madeSite(join(folder, 'many'), posts));
    await benchFreshness(report, await start(data), many, posts);
    for (const site of running) await site.stop();
  }
  if (wanted('large')) await benchLarge(report, folder, data, large, seconds);
  report.end();
} finally {
  for (const site of running) await site.stop();
  await rm(folder, { recursive: true, force: true });
}
