/**
 * Compresses pages and writes their files in a thread of their own. In the pool that files and passwords share, with the
 * same right to the processors, the pages just shown would slow those that somebody waits for by a third.
 */
import { Worker } from 'node:worker_threads';
import { type Coding, compress } from '#publishing/store/bodies.ts';
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
    async compress(identity, made) {
      const codings = (['gzip', 'br'] as const).filter((coding) => !made[coding]);
      if (codings.length === 0) return compress(identity, made);
      const copy = new Uint8Array(identity);
      const done = await ask({ kind: 'compress', identity: copy, codings }, [copy.buffer]);
      const theirs = (coding: Coding) => {
        const form = typeof done === 'object' ? done[coding] : undefined;
        return form && { [coding]: Buffer.from(form.buffer) };
      };
      // Without its thread a page is compressed all the same.
      return compress(identity, { ...theirs('gzip'), ...theirs('br'), ...made });
    },
    async write(files, bodies) {
      const identity = new Uint8Array(bodies.identity);
      const gzip = new Uint8Array(bodies.gzip);
      const br = new Uint8Array(bodies.br);
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
