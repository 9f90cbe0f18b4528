/**
 * The threads that answer readers when `WORKERS` is 2 or more. The site itself, with backend and page store, stays in
 * the main thread, behind a socket of its own (docs/decisions/018-workers.md).
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer, Question } from '#publishing/lending/lender.ts';
import { log } from '../log.ts';
import type { FromThread, ThreadOptions, ToThread } from './thread.ts';

export interface ReadersOptions {
  readonly count: number;
  /** The module that runs a thread when it is loaded in one. */
  readonly module: URL;
  readonly thread: Omit<ThreadOptions, 'socketPath'>;
  /** The site's HTTP server; it does not listen yet. */
  readonly site: Server;
  readonly answer: (question: Question) => Answer | undefined;
}

export interface Readers {
  /** Ends when the last request of every thread is answered, or its time is over. */
  close(): Promise<void>;
}

/** Milliseconds before a thread that failed is replaced. */
const PAUSE = 1000;

/** Rejects with what `listen` says when the port cannot be had. */
export async function startReaders({ count, module, thread, site, answer }: ReadersOptions): Promise<Readers> {
  await probe(thread.host, thread.port);
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-'));
  const socketPath = join(folder, 'site');
  await listening(site, { path: socketPath });
  const workers = new Set<Worker>();
  let closing = false;

  const start = async (): Promise<void> => {
    const worker = new Worker(module, { workerData: { ...thread, socketPath } satisfies ThreadOptions });
    workers.add(worker);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'listening') return resolve();
      const reply = answer(message);
      if (reply) worker.postMessage(reply satisfies ToThread);
    });
    worker.on('error', reject);
    worker.on('exit', () => workers.delete(worker));
    await ready;
    worker.on('error', (error) => log('error', 'A reader thread failed and is replaced.', error));
    worker.on('exit', () => {
      if (!closing) setTimeout(replace, PAUSE).unref();
    });
  };
  const replace = () => {
    if (closing) return;
    start().catch((error: unknown) => {
      log('error', 'A reader thread could not be started.', error);
      setTimeout(replace, PAUSE).unref();
    });
  };

  const close = async () => {
    closing = true;
    await Promise.all(
      Array.from(workers, (worker) => {
        worker.postMessage({ kind: 'end' } satisfies ToThread);
        return once(worker, 'exit');
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(Array.from({ length: count }, start));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { close };
}

/** Threads share the port with whoever shares it; this finds out whether somebody has it already. */
async function probe(host: string, port: number): Promise<void> {
  const server = createServer();
  await listening(server, { host, port });
  await new Promise((resolve) => server.close(resolve));
}

async function listening(server: Server, place: { host: string; port: number } | { path: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(place, resolve);
  });
}
