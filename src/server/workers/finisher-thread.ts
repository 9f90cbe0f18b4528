/**
 * The thread that makes the compressed forms and the files of pages that are shown already. It takes its turn after all
 * that readers and writers wait for.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { type Coding, compressNowAs } from '#publishing/store/bodies.ts';
import { type PageFiles, writeFiles } from '#publishing/store/page-files.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Forms = Partial<Record<Coding, Bytes>>;

export type Work =
  | { readonly kind: 'compress'; readonly identity: Bytes; readonly codings: readonly Coding[] }
  | {
      readonly kind: 'write';
      readonly files: PageFiles;
      readonly bodies: { readonly identity: Bytes; readonly gzip: Bytes; readonly br: Bytes };
    };

export type Done = Forms | { readonly error: unknown } | 'written';

export interface ToFinisher {
  readonly id: number;
  readonly work: Work;
}

export interface FromFinisher {
  readonly id: number;
  readonly done: Done;
}

/** A quarter of a processor where others want it as well: somebody may wait for the compressed form too. */
const NICENESS = 6;

export function runFinisher(site: MessagePort): void {
  stepBack();
  site.on('message', ({ id, work }: ToFinisher) => {
    if (work.kind === 'compress') {
      const done = compressed(work.identity, work.codings);
      const buffers = Object.values(done).map(({ buffer }) => buffer);
      site.postMessage({ id, done } satisfies FromFinisher, buffers);
    } else {
      const { identity, gzip, br } = work.bodies;
      const bodies = { identity: bufferOf(identity), gzip: bufferOf(gzip), br: bufferOf(br) };
      writeFiles(work.files, bodies).then(
        () => site.postMessage({ id, done: 'written' } satisfies FromFinisher),
        (error: unknown) => site.postMessage({ id, done: { error } } satisfies FromFinisher),
      );
    }
  });
}

function compressed(identity: Bytes, codings: readonly Coding[]): Forms {
  const forms: Forms = {};
  // Whole blocks of their own: what zlib gives is the begin of a larger one.
  for (const coding of codings) forms[coding] = new Uint8Array(compressNowAs(coding, bufferOf(identity)));
  return forms;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Bytes): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** Linux knows priorities of single threads, by the thread's own number; elsewhere this one is like the others. */
function stepBack(): void {
  try {
    const [, number] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (number) setPriority(Number(number), NICENESS);
  } catch {
    // The work goes on all the same.
  }
}
