/** Compares how the site and nginx serve a stored post. The servers run on the first core, wrk on the second. */
import { processorSeconds } from '../../support/process-usage.ts';
import { median } from '../figures.ts';
import { rawRequest, record } from '../raw-request.ts';
import type { Report } from '../report.ts';
import { type Load, wrk } from '../wrk.ts';
import { type Server, servePage } from './servers.ts';

const ROUNDS = 3;
const CONNECTIONS = 32;

const read = (url: string, seconds: number) =>
  wrk(url, { seconds, connections: CONNECTIONS, headers: { 'accept-encoding': 'gzip' } });

/** Measures the post at `path`; nginx keeps its files in `folder`. */
export async function benchHits(report: Report, site: Server, path: string, folder: string, seconds: number) {
  const answer = await record(Number(new URL(site.url).port), rawRequest('GET', path, { 'accept-encoding': 'gzip' }));
  const nginx = await servePage(folder, answer);
  const product: Load[] = [];
  const other: Load[] = [];
  let processor = 0;
  let requests = 0;
  try {
    await read(site.url + path, 1);
    await read(nginx.url, 1);
    // Alternates between the two, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round++) {
      const before = processorSeconds(site.pid);
      const load = await read(site.url + path, seconds);
      processor += processorSeconds(site.pid) - before;
      requests += load.requests;
      product.push(load);
      other.push(await read(nginx.url, seconds));
    }
  } finally {
    await nginx.stop();
  }
  const ratios = product.map(({ perSecond }, round) => perSecond / (other[round]?.perSecond ?? Number.NaN));
  report.line('hits beside nginx, one worker', median(ratios), { least: 0.5 });
  report.line('p99 at 32 connections', median(product.map(({ p99 }) => p99)), { most: 8 }, 'ms');
  report.line('processor time per 1,000 reads', processor / (requests / 1000), { most: 0.03 }, 's');
  const failed = product.reduce((sum, { faults }) => sum + faults, 0);
  report.line('failed reads', failed, { most: 0 });
}
