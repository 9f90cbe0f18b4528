/**
 * Reads of a stored page: the site, a bare `node:http` server, nginx and Astro's own cache answer the same page in turns.
 * Servers run on the first core and wrk on the second; the comparison of two workers lets all of them use both.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type CannedAnswer, record, startBare } from '../bare.ts';
import { rawRequest } from '../load.ts';
import { median, type Report } from './report.ts';
import { type Server, startNginx, startSite, startUnderMemoryCache } from './servers.ts';
import { type Load, wrk } from './wrk.ts';

const run = promisify(execFile);
const ROUNDS = 3;

interface Side {
  readonly url: string;
  readonly loads: Load[];
}

/** Each side once a round, so that a machine that slows down slows all of them. */
async function inTurns(sides: readonly Side[], seconds: number, threads: 1 | 2): Promise<void> {
  for (const { url } of sides) await wrk(url, 1, threads);
  for (let round = 0; round < ROUNDS; round++)
    for (const { url, loads } of sides) loads.push(await wrk(url, seconds, threads));
}

/** The median of the rounds' own ratios: what one round did to both sides is not in it. */
function ratio(one: Side, other: Side): number {
  return median(one.loads.map(({ perSecond }, i) => perSecond / (other.loads[i]?.perSecond ?? Number.NaN)));
}

function summary(name: string, { loads }: Side): string {
  const speed = median(loads.map(({ perSecond }) => perSecond));
  return `${name}: ${speed.toFixed(0)} requests/s, p99 ${median(loads.map(({ p99 }) => p99)).toFixed(2)} ms, faults ${faultsOf(loads)}`;
}

const faultsOf = (loads: readonly Load[]): number => loads.reduce((sum, { faults }) => sum + faults, 0);
const side = (url: string): Side => ({ url: `${url}/`, loads: [] });

/** The site's own answer for its home page, gzipped. */
export function homeOf(site: Server): Promise<CannedAnswer> {
  return record(Number(new URL(site.url).port), rawRequest('GET', '/', { 'accept-encoding': 'gzip' }));
}

/** One process against each of the others. */
export async function benchHits(report: Report, site: Server, folder: string, seconds: number): Promise<void> {
  const home = await homeOf(site);
  const bare = await startBare();
  await run('taskset', ['-a', '-c', '-p', '0', `${bare.pid}`]);
  await bare.answerWith(home);
  const nginx = await startNginx(folder, home);
  const memoryCache = await startUnderMemoryCache(folder, site);
  const product = side(site.url);
  const others = {
    bare: side(`http://127.0.0.1:${bare.port}`),
    nginx: side(nginx.url),
    memoryCache: side(memoryCache.url),
  };
  let processor = 0;
  try {
    await inTurns([product, ...Object.values(others)], seconds, 1);
    const before = await site.processorTime();
    const load = await wrk(product.url, seconds);
    processor = ((await site.processorTime()) - before) / (load.requests / 1000);
  } finally {
    bare.stop();
    await nginx.stop();
    await memoryCache.stop();
  }
  report.note(`Home, ${home.body.length} bytes gzipped, 32 connections.`);
  for (const [name, each] of Object.entries({ product, ...others })) report.note(summary(name, each));
  report.line('hits beside a bare node:http', ratio(product, others.bare), { least: 0.95 });
  report.line('hits beside nginx, one worker', ratio(product, others.nginx), { least: 0.6 });
  report.line('hits beside Astro’s memoryCache', ratio(product, others.memoryCache), { least: 6 });
  report.line('p99 at 32 connections', median(product.loads.map(({ p99 }) => p99)), { most: 5 }, 'ms');
  report.line('processor time per 1,000 reads', processor, { most: 0.02 }, 's');
  report.line('failed reads', faultsOf(product.loads), { most: 0 });
}

/** Two workers against nginx with two. */
export async function benchWorkers(report: Report, folder: string, data: string, seconds: number): Promise<void> {
  const site = await startSite(data, { workers: 2 });
  const home = await homeOf(site);
  const nginx = await startNginx(folder, home, 2);
  const sides = { product: side(site.url), nginx: side(nginx.url) };
  try {
    await inTurns(Object.values(sides), seconds, 2);
    report.note(`Resident with two workers: ${(await site.residentMiB()).toFixed(0)} MiB`);
  } finally {
    await nginx.stop();
    await site.stop();
  }
  for (const [name, each] of Object.entries(sides)) report.note(`two workers, ${summary(name, each)}`);
  report.line('two workers beside nginx with two', ratio(sides.product, sides.nginx), { least: 0.8 });
  report.line('failed reads of two workers', faultsOf(sides.product.loads), { most: 0 });
}
