/** Child process: runs readers of stored pages, each at a steady rate on a connection that stays open. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { count, type Tally } from '../attack.ts';
import type { Readings, ReadOrder } from './order.ts';

const PATIENCE_MS = 30_000;

const latencies: number[] = [];
const errors: Tally = {};
let stopped = false;

/** Reads a page to its end; rejects if the connection fails. */
async function visit(agent: Agent, port: number, path: string): Promise<void> {
  const headers = { 'accept-encoding': 'br' };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const request = get({ host: '127.0.0.1', localAddress: '127.0.0.2', port, path, agent, headers, signal });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) count(errors, `answered ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}

async function read({ port, paths, readers, everyMs }: ReadOrder, index: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let due = performance.now() + (index / readers) * everyMs;
  for (let i = index; !stopped; i++, due += everyMs) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    // A timer may fire a fraction of a millisecond early, which would make the measured latency too short.
    due = Math.min(due, performance.now());
    await visit(agent, port, paths[i % paths.length] as string).catch((error: Error) => count(errors, error.message));
    // Measures from the due time, so that a delayed request also counts its wait for the previous one.
    latencies.push(performance.now() - due);
  }
  agent.destroy();
}

process.on('message', (message: ReadOrder | 'stop') => {
  if (message === 'stop') {
    stopped = true;
    return;
  }
  const all = Array.from({ length: message.readers }, (_, index) => read(message, index));
  void Promise.all(all).then(() => process.send?.({ latencies, errors } satisfies Readings));
});
process.on('disconnect', () => process.exit(0));
