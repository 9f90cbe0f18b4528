/** A reader of one stored page who asks again and again, on a thread of its own: how long the site makes readers wait. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Between an answer and the next question, milliseconds. */
const PAUSE = 5;
/** An answer that takes longer is not waited for, milliseconds. */
const PATIENCE = 30_000;

export interface Reader {
  /** Ends the reading; gives the waits in milliseconds. */
  stop(): Promise<number[]>;
}

/** Begins to read `url`; resolves when its first answer is there. */
export function startReader(url: string): Promise<Reader> {
  const worker = new Worker(import.meta.filename, { workerData: url });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () =>
      resolve({
        stop: () =>
          new Promise((done) => {
            worker.once('message', done);
            worker.postMessage('stop');
          }),
      }),
    );
  });
}

async function read(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  await response.arrayBuffer();
}

async function readOn(url: string): Promise<void> {
  const waits: number[] = [];
  let stopped = false;
  parentPort?.once('message', () => {
    stopped = true;
  });
  await read(url).catch(() => undefined);
  parentPort?.postMessage('begun');
  while (!stopped) {
    const asked = performance.now();
    await read(url).catch(() => undefined);
    waits.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  parentPort?.postMessage(waits);
}

if (!isMainThread && typeof workerData === 'string') await readOn(workerData);
