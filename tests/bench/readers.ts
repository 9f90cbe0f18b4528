/** Reads posts and pauses after each, to put the load of a popular site on the server without saturating it. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSite } from '../e2e/site.ts';
import { residentMiB } from '../support/process-usage.ts';
import { quantile } from './figures.ts';

const READERS = 20;
const PAUSE_MS = 20;

/** Reads posts until `until` settles. Returns each wait in ms, the server's peak memory in MiB, and a failure count. */
export async function reading(site: RunningSite, until: Promise<unknown>) {
  let isOver = false;
  const ended = () => {
    isOver = true;
  };
  until.then(ended, ended);
  const waits: number[] = [];
  let most = 0;
  let failed = 0;
  const read = async (n: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const begun = performance.now();
      const [response] = await once(get(`${site.url}/post/post-${n}`, { agent }), 'response');
      await text(response);
      if (response.statusCode !== 200) failed++;
      waits.push(performance.now() - begun);
      most = Math.max(most, residentMiB(site.pid as number));
      await sleep(PAUSE_MS);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: READERS }, (_, n) => read(n)));
  return { waits, most, failed };
}

/** Returns a summary: the number of reads, the median and p99 wait, and the number of failures. */
export function told({ waits, failed }: { readonly waits: readonly number[]; readonly failed: number }): string {
  const [median, slow] = [0.5, 0.99].map((share) => quantile(waits, share).toFixed(1));
  return `${waits.length} reads, median ${median} ms, p99 ${slow} ms, ${failed} failed.`;
}
