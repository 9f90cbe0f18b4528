/** What a page costs that is not stored: a reader waits while it is rendered, backend included. */
import { postPath } from '#blog/routes/paths.ts';
import { median, type Report } from '../report.ts';
import { Client, read } from './freshness.ts';
import type { Server } from './servers.ts';
import { slugAt } from './texts.ts';

/** Posts that the site must have. */
export const POSTS_NOT_STORED = 700;
/** Renders until the engine has compiled what it will, as in a process that has run for a while. */
const WARM_UP = 500;
const FIRST = 100;

/** Reads each post of a site once, one after the other. `site` has all of the machine, as in service. */
export async function benchNotStored(report: Report, site: Server): Promise<void> {
  const reader = new Client(site.url, { 'accept-encoding': 'br' });
  const times: number[] = [];
  let processorTime = 0;
  for (let i = 0; i < POSTS_NOT_STORED; i++) {
    if (i === WARM_UP) processorTime = await site.processorTime();
    times.push(await read(reader, postPath(slugAt(i))));
  }
  reader.close();
  const warm = times.slice(WARM_UP);
  const each = ((await site.processorTime()) - processorTime) / warm.length;
  report.line('a post that is not stored, backend included', median(warm), { most: 10 }, 'ms');
  report.note(
    `its worst of ${warm.length}: ${Math.max(...warm).toFixed(1)} ms; processor time ${(each * 1000).toFixed(1)} ms`,
  );
  report.note(`median of the first ${FIRST} after a start: ${median(times.slice(0, FIRST)).toFixed(1)} ms`);
}
