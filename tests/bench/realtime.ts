/**
 * `npm run bench -- realtime [--sockets 1000] [--writes 100]`: how soon and how exactly an open socket receives a write.
 * Half of the sockets are the author's and may read the documents, half are guests' and may not. Each permitted socket must
 * get each event once, the others nothing; memory is compared before and after, sockets open and garbage collected.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { type BackendProcess, PROJECT, startBackendProcess } from '../support/backend-process.ts';
import { bundledChild } from './bundle.ts';
import * as data from './data.ts';

const MIB = 1024 * 1024;
/** The bound, milliseconds. */
const BOUND = 250;
/** How long after the last event a stray one may still come, milliseconds. */
const STRAY = 1000;

interface Listener {
  readonly socket: WebSocket;
  readonly permitted: boolean;
  /** How often each document was told of. */
  readonly events: Map<string, number>;
}

interface Frame {
  readonly type: string;
  readonly data: { readonly payload?: { readonly $id: string } };
}

/** Connects and subscribes; `onEvent` gets the id of each document that it is told of. */
function listen(
  backend: BackendProcess,
  cookie: string,
  channel: string,
  onEvent: (listener: Listener, id: string) => void,
): Promise<Listener> {
  const address = `${backend.endpoint.replace('http', 'ws')}/realtime?project=${PROJECT}`;
  const headers = { origin: 'http://localhost:4321', ...(cookie === '' ? {} : { cookie }) };
  const socket = new WebSocket(address, { headers });
  const listener: Listener = { socket, permitted: cookie !== '', events: new Map() };
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (text) => {
      const { type, data: content } = JSON.parse(String(text)) as Frame;
      if (type === 'connected')
        socket.send(JSON.stringify({ type: 'subscribe', data: [{ channels: [channel], queries: [] }] }));
      if (type === 'response') resolve(listener);
      if (type === 'event' && content.payload) onEvent(listener, content.payload.$id);
    });
  });
}

async function listenAll(count: number, one: (index: number) => Promise<Listener>): Promise<Listener[]> {
  const listeners: Listener[] = [];
  // A backlog of connections is not what is measured.
  for (let from = 0; from < count; from += 50) {
    const group = Array.from({ length: Math.min(50, count - from) }, (_, i) => one(from + i));
    listeners.push(...(await Promise.all(group)));
  }
  return listeners;
}

async function resident(backend: BackendProcess): Promise<{ heap: number; rss: number }> {
  const { heapUsed, external, rss } = await backend.memory();
  return { heap: heapUsed + external, rss };
}

async function bench(sockets: number, writes: number): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'common-ink-bench-'));
  const child = await bundledChild();
  const backend = await startBackendProcess(directory, { child });
  let listeners: Listener[] = [];
  try {
    const collection = await data.fillCollection(backend.endpoint, 10);
    const cookie = await data.signIn(backend.endpoint);
    const documents = `/databases/${data.DATABASE}/collections/${collection}/documents`;
    const sentAt = new Map<string, number>();
    const latencies: number[] = [];
    const expected = Math.ceil(sockets / 2) * writes;
    const { promise: allHeard, resolve } = Promise.withResolvers<void>();
    const onEvent = ({ events }: Listener, id: string): void => {
      const sent = sentAt.get(id);
      if (sent === undefined) return;
      events.set(id, (events.get(id) ?? 0) + 1);
      latencies.push(performance.now() - sent);
      if (latencies.length === expected) resolve();
    };
    const channel = `databases.${data.DATABASE}.collections.${collection}.documents`;
    listeners = await listenAll(sockets, (i) => listen(backend, i % 2 === 0 ? cookie : '', channel, onEvent));
    const write = async (id: string): Promise<void> => {
      await data.asKey(backend.endpoint, 'POST', documents, {
        documentId: id,
        data: data.postData('Heard of', 'inactive'),
        permissions: [`read("user:${data.AUTHOR}")`],
      });
    };
    // As many again as are measured: what a server grows to under this load is not what it loses.
    for (let i = 0; i < writes; i++) await write(`warm-${i}`);
    const before = await resident(backend);
    for (let i = 0; i < writes; i++) {
      sentAt.set(`heard-${i}`, performance.now());
      await write(`heard-${i}`);
    }
    await Promise.race([allHeard, new Promise((done) => setTimeout(done, 30_000))]);
    await new Promise((done) => setTimeout(done, STRAY));
    const after = await resident(backend);

    latencies.sort((a, b) => a - b);
    const at = (part: number) => latencies[Math.floor((latencies.length - 1) * part)] ?? Number.NaN;
    const exact = listeners.filter(
      ({ permitted, events }) =>
        events.size === (permitted ? writes : 0) && [...events.values()].every((times) => times === 1),
    ).length;
    const growth = (part: 'heap' | 'rss') => `${(((after[part] - before[part]) / before[part]) * 100).toFixed(1)} %`;
    const mib = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`;
    console.log(`${sockets} sockets, ${writes} writes: ${latencies.length} of ${expected} events.`);
    console.log(`${exact} of ${sockets} sockets heard exactly what they may, each event once.`);
    console.log(`From the write's request to the event: p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms.`);
    console.log(`Heap ${mib(before.heap)} before, ${mib(after.heap)} after (${growth('heap')}).`);
    console.log(`Resident ${mib(before.rss)} before, ${mib(after.rss)} after (${growth('rss')}).`);
    return exact === sockets && at(0.99) < BOUND && after.rss < before.rss * 1.1;
  } finally {
    for (const { socket } of listeners) socket.terminate();
    await backend.stop();
    await rm(child);
    await rm(directory, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { sockets: { type: 'string', default: '1000' }, writes: { type: 'string', default: '100' } },
});
const met = await bench(Number(values.sockets), Number(values.writes));
console.log(
  met ? 'The targets are met.' : `Not met: exact events, p99 below ${BOUND} ms, resident memory within 10 %.`,
);
process.exitCode = met ? 0 : 1;
