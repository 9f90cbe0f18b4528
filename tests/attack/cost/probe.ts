/**
 * Runs inside the measured server (`--import`) and reports its processor and memory use between `begin` and `end` over
 * a local socket. It measures processor time, not elapsed time, because the latter depends on the machine's other load.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

export interface Use {
  /** Processor time of the main thread, in ms. */
  readonly thread: number;
  /** Processor time of all threads, in ms. */
  readonly process: number;
  /** Longest delay of the event loop, in ms. */
  readonly held: number;
  /** Growth of the heap (after collections) or of the resident memory in bytes, whichever is larger. */
  readonly grown: number;
}

/** Processor time in ms below which a thread counts as idle during a `PAUSE`. */
const IDLE = 1;
const PAUSE = 10;
/** This many idle pauses in a row end the measurement of an answer. */
const QUIET = 2;
const LONGEST = 20_000;

const threadTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const processTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const heap = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const most = (): number => 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

async function rest(pauses = QUIET): Promise<void> {
  const end = performance.now() + LONGEST;
  for (let quiet = 0; quiet < pauses && performance.now() < end; ) {
    const before = threadTime();
    await wait(PAUSE);
    quiet = threadTime() - before < IDLE ? quiet + 1 : 0;
  }
}

/** Heap growth above which garbage is collected before measuring. A collection takes longer than most requests. */
const WORTH_A_COLLECTION = 8 * 1024 * 1024;

function measuring(collect: () => void): () => Use {
  // Resets the peak resident memory (VmHWM) that Linux records for the process.
  writeFileSync('/proc/self/clear_refs', '5');
  const residentBefore = process.memoryUsage.rss();
  const before = heap();
  const profiler = new GCProfiler();
  profiler.start();
  // A finer resolution would itself take 5 ms of the thread per second.
  const delay = monitorEventLoopDelay({ resolution: 50 });
  delay.enable();
  const thread = threadTime();
  const all = processTime();
  return () => {
    const used = { thread: threadTime() - thread, process: processTime() - all };
    delay.disable();
    const seen = (profiler.stop()?.statistics ?? []).map(
      // Before a collection, the heap also contains garbage, whose amount depends on the collector's timing.
      ({ afterGC: { heapStatistics } }) => heapStatistics.usedHeapSize + heapStatistics.externalMemory,
    );
    const resident = most() - residentBefore;
    if (heap() - before > WORTH_A_COLLECTION) collect();
    const grown = Math.max(0, resident, heap() - before, ...seen.map((size) => size - before));
    return { ...used, held: delay.max / 1e6, grown };
  };
}

function serve(address: string): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let end: (() => Use) | undefined;
  const orders: Readonly<Record<string, () => Promise<unknown>>> = {
    async begin() {
      await rest(1);
      end = measuring(collect);
    },
    async collect() {
      await rest(1);
      collect();
    },
    async end() {
      await rest();
      return end?.();
    },
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', async (order) => {
      socket.write(`${JSON.stringify((await orders[order]?.()) ?? null)}\n`);
    });
  });
  server.listen(address).unref();
}

if (isMainThread && process.env.ATTACK_PROBE) serve(process.env.ATTACK_PROBE);
