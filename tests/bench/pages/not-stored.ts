/** Measures a page that isn't stored: a reader waits for its render, including the backend. */
import { postPath } from '#blog/routes/paths.ts';
import { processorSeconds } from '../../support/process-usage.ts';
import { median } from '../figures.ts';
import type { Report } from '../report.ts';
import { Client, read } from './freshness.ts';
import type { Server } from './servers.ts';
import { slugAt } from './texts.ts';

export const POSTS_NOT_STORED = 700;
/** Renders before measuring, so that the engine has compiled the code as in a long-running process. */
const WARM_UP = 500;
const FIRST = 100;

/** Reads each post of a site once, in sequence. `site` may use the whole machine, as in production. */
export async function benchNotStored(report: Report, site: Server): Promise<void> {
  const reader = new Client(site.url, { 'accept-encoding': 'br' });
  const times: number[] = [];
  let processorTime = 0;
  for (let i = 0; i < POSTS_NOT_STORED; i++) {
    if (i === WARM_UP) processorTime = processorSeconds(site.pid);
    times.push(await read(reader, postPath(slugAt(i))));
  }
  reader.close();
  const warm = times.slice(WARM_UP);
  const each = (processorSeconds(site.pid) - processorTime) / warm.length;
  report.line('a post that is not stored, backend included', median(warm), { most: 12 }, 'ms');
  report.note(
    `its worst of ${warm.length}: ${Math.max(...warm).toFixed(1)} ms; processor time ${(each * 1000).toFixed(1)} ms`,
  );
  report.note(`median of the first ${FIRST} after a start: ${median(times.slice(0, FIRST)).toFixed(1)} ms`);
}
