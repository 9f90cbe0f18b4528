/**
 * Compresses pages in a thread of their own. In the pool that files and passwords share, with the same right to the
 * processors, the pages just shown would slow those that somebody waits for by a third.
 */
import { Worker } from 'node:worker_threads';
import { type Bodies, compress } from '#publishing/store/bodies.ts';
import { log } from '../log.ts';
import type { Compressed, ToCompress } from './compressor-thread.ts';

export interface Compressor {
  /** A page's three forms. */
  compress(identity: Buffer): Promise<Bodies>;
  /** What is under way ends without a result. */
  close(): Promise<void>;
}

/** What a thread is told that it is for: `workerData` of `entry.ts`. */
export const COMPRESSES = 'compress';

/** Mebibytes: it holds one page at a time. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };

/** `module` compresses when it is loaded in a thread. The thread starts with the first page. */
export function openCompressor(module: URL): Compressor {
  const waiting = new Map<number, (compressed: Compressed | undefined) => void>();
  let worker: Worker | undefined;
  let last = 0;

  function thread(): Worker {
    if (worker) return worker;
    const started = new Worker(module, { workerData: COMPRESSES, resourceLimits: LIMITS });
    started.unref();
    started.on('message', (compressed: Compressed) => settle(compressed.id, compressed));
    started.on('error', (error) => log('error', 'The thread that compresses pages failed and is replaced.', error));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      for (const id of waiting.keys()) settle(id, undefined);
    });
    worker = started;
    return started;
  }

  function settle(id: number, compressed: Compressed | undefined): void {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(compressed);
  }

  return {
    async compress(identity) {
      const compressed = await new Promise<Compressed | undefined>((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        const copy = Uint8Array.from(identity);
        thread().postMessage({ id, identity: copy } satisfies ToCompress, [copy.buffer]);
      });
      // Without its thread a page is compressed all the same.
      if (!compressed) return compress(identity);
      return { identity, gzip: Buffer.from(compressed.gzip.buffer), br: Buffer.from(compressed.br.buffer) };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
