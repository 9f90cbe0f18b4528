/** Measures how long a reader waits for a page that isn't stored: its render, including the backend's work. */
import { postPath } from '#blog/routes/paths.ts';
import { median } from '../figures.ts';
import type { Report } from '../report.ts';
import { Client, read } from './freshness.ts';
import type { Server } from './servers.ts';
import { slugAt } from './texts.ts';

export const POSTS_NOT_STORED = 700;
/** Number of renders before measuring, so that the engine has compiled the code as in a long-running process. */
const WARM_UP = 500;

/** Reads each post of a site once, in sequence. `site` may use the whole machine, as in production. */
export async function benchNotStored(report: Report, site: Server): Promise<void> {
  const reader = new Client(site.url, { 'accept-encoding': 'br' });
  const times: number[] = [];
  for (let i = 0; i < POSTS_NOT_STORED; i++) times.push(await read(reader, postPath(slugAt(i))));
  reader.close();
  report.line('a post that is not stored, backend included', median(times.slice(WARM_UP)), { most: 12 }, 'ms');
}
