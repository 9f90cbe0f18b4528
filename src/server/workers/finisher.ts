/**
 * Compresses pages and writes their files in a thread of their own. In the pool that files and passwords share, with the
 * same right to the processors, the pages just shown would slow those that somebody waits for by a third.
 */
import { Worker } from 'node:worker_threads';
import { compress } from '#publishing/store/bodies.ts';
import type { Finishing } from '#publishing/store/finishing.ts';
import { writeFiles } from '#publishing/store/page-files.ts';
import { log } from '../log.ts';
import type { Done, FromFinisher, ToFinisher, Work } from './finisher-thread.ts';

export interface Finisher extends Finishing {
  /** What is under way ends in this thread. */
  close(): Promise<void>;
}

/** What a thread is told that it is for: `workerData` of `entry.ts`. */
const FINISHES = 'finish';

/** Mebibytes: it holds a page or two at a time. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };

/** `module` finishes pages when it is loaded in a thread. The thread starts with the first page. */
export function openFinisher(module: URL): Finisher {
  const waiting = new Map<number, (done: Done | undefined) => void>();
  let worker: Worker | undefined;
  let last = 0;

  function thread(): Worker {
    if (worker) return worker;
    const started = new Worker(module, { workerData: FINISHES, resourceLimits: LIMITS });
    started.unref();
    started.on('message', ({ id, done }: FromFinisher) => settle(id, done));
    started.on('error', (error) => log('error', 'The thread that compresses pages failed and is replaced.', error));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      for (const id of waiting.keys()) settle(id, undefined);
    });
    worker = started;
    return started;
  }

  function settle(id: number, done: Done | undefined): void {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(done);
  }

  /** Undefined when the thread ended before it was done. @throws what the work threw. */
  async function ask(work: Work, transfer: ArrayBuffer[]): Promise<Exclude<Done, { error: unknown }> | undefined> {
    const done = await new Promise<Done | undefined>((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      thread().postMessage({ id, work } satisfies ToFinisher, transfer);
    });
    if (typeof done === 'object' && 'error' in done) throw done.error;
    return done;
  }

  return {
    async compress(identity) {
      const copy = Uint8Array.from(identity);
      const done = await ask({ kind: 'compress', identity: copy }, [copy.buffer]);
      // Without its thread a page is compressed all the same.
      if (typeof done !== 'object') return compress(identity);
      return { identity, gzip: Buffer.from(done.gzip.buffer), br: Buffer.from(done.br.buffer) };
    },
    async write(files, bodies) {
      const identity = Uint8Array.from(bodies.identity);
      const gzip = Uint8Array.from(bodies.gzip);
      const br = Uint8Array.from(bodies.br);
      const transfer = [identity.buffer, gzip.buffer, br.buffer];
      if (!(await ask({ kind: 'write', files, bodies: { identity, gzip, br } }, transfer))) {
        await writeFiles(files, bodies);
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
