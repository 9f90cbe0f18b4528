/** An embedded backend in a process of its own, which tests can measure and kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EmbeddedBackend, EmbeddedOptions } from 'embedded-appwrite';
import { peakMiB, processorSeconds, residentMiB } from './process-usage.ts';

export const PROJECT = 'p1';
export const KEY = 'standard_key_of_the_tests';

export interface BackendStart {
  readonly port: number;
  readonly options: Omit<EmbeddedOptions, 'log'>;
}

export type BackendProcess = Awaited<ReturnType<typeof startBackendProcess>>;

/** Node's flags and environment, as `scripts/bootstrap.mjs` sets them for the server. */
export const SERVICE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

const CHILD = join(import.meta.dirname, 'backend-child.ts');

interface StartOptions {
  /** 0, the default, picks any free port. */
  readonly port?: number;
  readonly options?: Partial<BackendStart['options']>;
  /** Module that is forked instead of `backend-child.ts`. */
  readonly child?: string;
  /** Milliseconds after the fork at which the process is killed, listening or not. */
  readonly killAfter?: number;
}

/** Starts a backend on `directory`, without rate limits and with one key unless `options` say otherwise. */
export async function startBackendProcess(
  directory: string,
  { port = 0, options = {}, killAfter, child: module = CHILD }: StartOptions = {},
) {
  const own = { directory, projectId: PROJECT, keys: [{ secret: KEY }], webOrigins: ['localhost'], rateLimits: false };
  const start: BackendStart = { port, options: { ...own, ...options } };
  const begun = performance.now();
  const child: ChildProcess = fork(module, [JSON.stringify(start)], {
    execArgv: ['--expose-gc', ...SERVICE_FLAGS],
    env: SERVICE_ENVIRONMENT,
  });
  const ended = once(child, 'exit');
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [told] = await Promise.race([
    once(child, 'message') as Promise<[{ port: number; routes: EmbeddedBackend['routes'] }]>,
    ended.then(([code, signal]) =>
      Promise.reject(new Error(`The backend ended (${code ?? signal}) before it listened.`)),
    ),
  ]);
  const readyAfter = performance.now() - begun;
  return {
    ...told,
    /** Ends in `/v1`. */
    endpoint: `http://127.0.0.1:${told.port}/v1`,
    /** Milliseconds from the fork until the server listens. */
    readyAfter,
    /** Memory of the process after a garbage collection. */
    async memory() {
      const answer = once(child, 'message') as Promise<[{ memory: NodeJS.MemoryUsage }]>;
      child.send('memory');
      return (await answer)[0].memory;
    },
    /** Processor time used, in milliseconds. */
    processorTime: () => processorSeconds(child.pid as number) * 1000,
    /** Resident memory in bytes, as the system counts it: now and at its peak. */
    resident: () => {
      const pid = child.pid as number;
      return { now: residentMiB(pid) * 1024 ** 2, most: peakMiB(pid) * 1024 ** 2 };
    },
    /** Sends SIGKILL; resolves when the process is gone. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
