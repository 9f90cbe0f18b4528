/** The thread that compresses pages. It takes its turn after all that readers and writers wait for. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { compressNow } from '#publishing/store/bodies.ts';

export interface ToCompress {
  readonly id: number;
  readonly identity: Uint8Array<ArrayBuffer>;
}

export interface Compressed {
  readonly id: number;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer>;
}

/** A quarter of a processor where others want it as well: somebody may wait for the compressed form too. */
const NICENESS = 6;

export function runCompressor(site: MessagePort): void {
  stepBack();
  site.on('message', ({ id, identity }: ToCompress) => {
    const { gzip, br } = compressNow(Buffer.from(identity.buffer));
    // Whole blocks of their own: what zlib gives is the begin of a larger one.
    const compressed = { id, gzip: Uint8Array.from(gzip), br: Uint8Array.from(br) };
    site.postMessage(compressed satisfies Compressed, [compressed.gzip.buffer, compressed.br.buffer]);
  });
}

/** Linux knows priorities of single threads, by the thread's own number; elsewhere this one is like the others. */
function stepBack(): void {
  try {
    const [, number] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (number) setPriority(Number(number), NICENESS);
  } catch {
    // Compressing goes on all the same.
  }
}
