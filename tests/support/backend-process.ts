/** Runs an embedded backend in a separate process that tests can measure and kill. */
import { once } from 'node:events';
import type { EmbeddedOptions } from 'embedded-appwrite';
import { forkBackend, KEY, PROJECT } from 'embedded-appwrite/testing';
import { peakMiB, processorSeconds, residentMiB } from './process-usage.ts';

export { KEY, PROJECT };

export type BackendProcess = Awaited<ReturnType<typeof startBackendProcess>>;

/** Flags and environment for Node.js, as `scripts/bootstrap.mjs` sets them for the server. */
export const SERVICE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

interface StartOptions {
  /** 0, the default, picks any free port. */
  readonly port?: number;
  readonly options?: Partial<EmbeddedOptions>;
  /** Milliseconds after the fork at which the process is killed, whether or not it listens by then. */
  readonly killAfter?: number;
}

/** Starts a backend in `directory`, without rate limits and with one key unless `options` say otherwise. */
export async function startBackendProcess(directory: string, { port = 0, options = {}, killAfter }: StartOptions = {}) {
  const own = { directory, projectId: PROJECT, keys: [{ secret: KEY }], webOrigins: ['localhost'], rateLimits: false };
  const { child, ended, ...started } = await forkBackend(
    { port, options: { ...own, ...options } },
    { execArgv: ['--expose-gc', ...SERVICE_FLAGS], env: SERVICE_ENVIRONMENT, killAfter },
  );
  const pid = child.pid as number;
  return {
    ...started,
    /** Ends in `/v1`. */
    endpoint: `http://127.0.0.1:${started.port}/v1`,
    /** Returns the process's memory after a garbage collection. */
    async memory() {
      const answer = once(child, 'message') as Promise<[{ memory: NodeJS.MemoryUsage }]>;
      child.send('memory');
      return (await answer)[0].memory;
    },
    processorTime: () => processorSeconds(pid) * 1000,
    /** Returns the process's resident memory in bytes according to the system, now and at its peak. */
    resident: () => ({ now: residentMiB(pid) * 1024 ** 2, most: peakMiB(pid) * 1024 ** 2 }),
    [Symbol.asyncDispose]: started.stop,
    /** Sends SIGKILL; resolves when the process is gone. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
